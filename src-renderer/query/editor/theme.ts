import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The window's colours and fonts for an editor. They follow the theme by themselves. */
export const editorTheme = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--pane)', fontSize: 'var(--text)' },
    // The box around it shows the focus, round the line numbers too.
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
    '.cm-content': { caretColor: 'var(--ink)' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent)',
    },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--raised) 70%, transparent)' },
    '.cm-gutters': { backgroundColor: 'var(--pane)', color: 'var(--ink-3)', border: 'none' },
    '.cm-tooltip': {
      border: '1px solid var(--line-strong)',
      borderRadius: 'var(--radius)',
      backgroundColor: 'var(--raised)',
      color: 'var(--ink)',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--chosen)', color: 'var(--ink)' },
    '.cm-diagnostic': { fontFamily: 'var(--font)' },
    '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', borderColor: 'var(--line)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.keyword, tags.definitionKeyword, tags.modifier], color: 'var(--accent)', fontWeight: '550' },
      { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
      { tag: [tags.number, tags.integer, tags.float, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
      { tag: [tags.typeName, tags.labelName], color: 'var(--unknown)', fontWeight: '550' },
      { tag: [tags.variableName, tags.special(tags.variableName)], color: 'var(--warn)' },
      { tag: [tags.comment, tags.lineComment], color: 'var(--ink-3)', fontStyle: 'italic' },
      { tag: [tags.propertyName, tags.attributeName], color: 'var(--ink)' },
      { tag: [tags.punctuation, tags.bracket, tags.separator], color: 'var(--ink-2)' },
    ]),
  ),
]
