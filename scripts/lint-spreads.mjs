/**
 * Data is never spread into the arguments of a call: from some 100,000 values on that throws a RangeError, wherever it stands.
 * Only what has an end by its form may be: a function's own rest parameter that is handed on, a list that is written out there, and
 * the values of a statement of SQL, which are as many as its question marks.
 */
const noSpreadData = {
  meta: {
    type: 'problem',
    messages: {
      spread: 'Data is spread into arguments, which throws where there is much of it: use a loop, or reduce.',
    },
  },
  create: (context) => ({
    SpreadElement(node) {
      const { parent } = node
      const isArgument =
        (parent.type === 'CallExpression' || parent.type === 'NewExpression') && parent.arguments.includes(node)
      if (isArgument && !isStatement(parent) && !isBounded(node.argument)) context.report({ node, messageId: 'spread' })
    },
  }),
}

const isStatement = ({ callee }) => ['run', 'get', 'all'].includes(callee.property?.name)

function isBounded(argument) {
  if (argument.type === 'ArrayExpression')
    return argument.elements.every((element) => element?.type !== 'SpreadElement')
  return argument.type === 'Identifier' && isRest(argument.parent, argument.name)
}

/** Whether the nearest function that has a parameter of this name has it as its rest. */
function isRest(node, name) {
  const parameters = node.params ?? []
  if (parameters.some((each) => each.type === 'RestElement' && each.argument.name === name)) return true
  if (parameters.some((each) => each.name === name || each.left?.name === name)) return false
  return node.parent !== null && node.parent !== undefined && isRest(node.parent, name)
}

export default { meta: { name: 'muster' }, rules: { 'no-spread-data': noSpreadData } }
