/** The id of the panel that the tabs control. */
export const tabPanelId = 'query-panel'
export const tabId = (id: string): string => `query-tab-${id}`
