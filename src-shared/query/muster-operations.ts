import type { SavedOperation } from '../model/kept-queries.ts'

/** An operation that comes with Muster. It is not in the journal, and is opened as a copy. */
export type MusterOperation = Omit<SavedOperation, 'folder'>

const tenant = '{\n  "tenantId": ""\n}'

/**
 * The operations that come with Muster, by what they are good for. Where one needs more than the specification shows (service-spec.md), its
 * first comment says so: a service without these fields answers which ones it does not know.
 */
export const musterOperations: readonly MusterOperation[] = [
  {
    id: 'muster-tenants',
    name: 'Tenants and regions',
    variables: '{}',
    document: `query TenantsAndRegions {
  tenants {
    id
    name
    region {
      id
    }
  }
}
`,
  },
  {
    id: 'muster-device-counts',
    name: 'Device counts of tenants',
    variables: '{}',
    document: `# Not in the specification: tenantCount, countDevices, deviceCount.
query DeviceCountsOfTenants {
  tenantCount
  countDevices
  tenants {
    id
    name
    deviceCount
  }
}
`,
  },
  {
    id: 'muster-devices-by-model',
    name: 'Devices by model',
    variables: '{\n  "tenantId": "",\n  "model": "Studio",\n  "nextToken": null\n}',
    document: `query DevicesByModel($tenantId: ID!, $model: String!, $nextToken: String) {
  tenant(id: $tenantId) {
    inventory {
      deviceSearch(params: { filter: { field: "hardwareModel", contains: $model }, nextToken: $nextToken }) {
        edges {
          node {
            id
            name
            hardwareModel
            connected
            site {
              name
            }
            room {
              name
            }
          }
        }
        pageInfo {
          totalCount
          nextToken
          hasNextPage
        }
      }
    }
  }
}
`,
  },
  {
    id: 'muster-firmware',
    name: 'Firmware by model',
    variables: '{\n  "tenantId": "",\n  "nextToken": null\n}',
    document: `# Not in the specification: softwareVersion, softwareBuild, pageSize, sort.
query FirmwareByModel($tenantId: ID!, $nextToken: String) {
  tenant(id: $tenantId) {
    inventory {
      deviceSearch(
        params: {
          pageSize: 100
          nextToken: $nextToken
          sort: { fields: [{ name: "hardwareModel", direction: ASC }, { name: "softwareVersion", direction: ASC }] }
        }
      ) {
        edges {
          node {
            id
            name
            hardwareModel
            softwareVersion
            softwareBuild
          }
        }
        pageInfo {
          totalCount
          nextToken
          hasNextPage
        }
      }
    }
  }
}
`,
  },
  {
    id: 'muster-offline',
    name: 'Offline devices',
    variables: '{\n  "tenantId": "",\n  "nextToken": null\n}',
    document: `# Not in the specification: the values of connected in a filter.
query OfflineDevices($tenantId: ID!, $nextToken: String) {
  tenant(id: $tenantId) {
    inventory {
      deviceSearch(params: { filter: { field: "connected", contains: "false" }, nextToken: $nextToken }) {
        edges {
          node {
            id
            name
            hardwareModel
            connected
            lastDetected
            site {
              name
            }
            room {
              name
            }
          }
        }
        pageInfo {
          totalCount
          nextToken
          hasNextPage
        }
      }
    }
  }
}
`,
  },
  {
    id: 'muster-not-detected',
    name: 'Devices not detected for the longest time',
    variables: '{\n  "tenantId": "",\n  "nextToken": null\n}',
    document: `# Not in the specification: eq, pageSize, sort.
query LongestNotDetected($tenantId: ID!, $nextToken: String) {
  tenant(id: $tenantId) {
    inventory {
      deviceSearch(
        params: {
          filter: { field: "connected", eq: "false" }
          sort: { fields: [{ name: "lastDetected", direction: ASC }] }
          pageSize: 50
          nextToken: $nextToken
        }
      ) {
        edges {
          node {
            id
            name
            hardwareModel
            lastDetected
            lastConfigRequestDate
            site {
              name
            }
            room {
              name
            }
          }
        }
        pageInfo {
          totalCount
          nextToken
          hasNextPage
        }
      }
    }
  }
}
`,
  },
  {
    id: 'muster-in-call',
    name: 'Devices in a call',
    variables: '{\n  "tenantId": "",\n  "nextToken": null\n}',
    document: `# Not in the specification: callStatus, activeApplicationName, eq, pageSize. A restart ends a call.
query DevicesInACall($tenantId: ID!, $nextToken: String) {
  tenant(id: $tenantId) {
    inventory {
      deviceSearch(
        params: { filter: { field: "callStatus", eq: "IN_CALL" }, pageSize: 50, nextToken: $nextToken }
      ) {
        edges {
          node {
            id
            name
            callStatus
            activeApplicationName
            site {
              name
            }
            room {
              name
            }
          }
        }
        pageInfo {
          totalCount
          nextToken
          hasNextPage
        }
      }
    }
  }
}
`,
  },
  {
    id: 'muster-without-room',
    name: 'Devices without a room',
    variables: '{\n  "tenantId": "",\n  "nextToken": null\n}',
    document: `# Not in the specification: exists, pageSize.
query DevicesWithoutRoom($tenantId: ID!, $nextToken: String) {
  tenant(id: $tenantId) {
    inventory {
      deviceSearch(params: { filter: { field: "room", exists: false }, pageSize: 100, nextToken: $nextToken }) {
        edges {
          node {
            id
            name
            hardwareModel
            connected
            site {
              name
            }
          }
        }
        pageInfo {
          totalCount
          nextToken
          hasNextPage
        }
      }
    }
  }
}
`,
  },
  {
    id: 'muster-rooms',
    name: 'Rooms and their device counts',
    variables: '{\n  "tenantId": "",\n  "cursor": null\n}',
    document: `# Not in the specification: roomData, and the devices of a room. Rooms without devices have a totalCount of 0.
query RoomsAndDeviceCounts($tenantId: ID!, $cursor: String) {
  tenant(id: $tenantId) {
    roomData(
      params: { limit: 50, cursor: $cursor, paging: NEXT_PAGE, sort: [{ field: "ROOM_NAME", direction: ASC }] }
    ) {
      total
      edges {
        node {
          id
          name
          capacity
          site {
            name
          }
          devices(params: { pageSize: 1 }) {
            pageInfo {
              totalCount
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`,
  },
  {
    id: 'muster-sites',
    name: 'Sites and their room counts',
    variables: '{\n  "tenantId": "",\n  "cursor": null\n}',
    document: `# Not in the specification: siteData, and the rooms of a site.
query SitesAndRoomCounts($tenantId: String!, $cursor: String) {
  siteData(tenantId: $tenantId, params: { limit: 50, cursor: $cursor, paging: NEXT_PAGE }) {
    total
    edges {
      node {
        id
        name
        rooms(params: { pageSize: 1 }) {
          pageInfo {
            totalCount
          }
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
  },
  {
    id: 'muster-points',
    name: 'Points left',
    variables: '{}',
    document: `query PointsLeft {
  calculateQueryCost {
    queryCost
    costUsed
    costRemaining
    secondsToReset
  }
}
`,
  },
  {
    id: 'muster-page-cost',
    name: 'What a page of devices costs',
    variables: tenant,
    document: `# Add a field and run it again: queryCost shows what the field costs.
query WhatAPageCosts($tenantId: ID!) {
  calculateQueryCost {
    queryCost
    costRemaining
  }
  tenant(id: $tenantId) {
    inventory {
      deviceSearch(params: { nextToken: null }) {
        edges {
          node {
            id
            name
          }
        }
        pageInfo {
          countOnPage
        }
      }
    }
  }
}
`,
  },
]
