/**
 * A lint rule: data is never spread into the arguments of a call, which throws a RangeError above some 100,000 values.
 * Allowed are spreads of limited length: a function's own rest parameter that is passed on, a literal list, and the
 * values of an SQL statement, which are as many as its parameters.
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

/** Returns whether the nearest function with a parameter of this name has it as its rest parameter. */
function isRest(node, name) {
  const parameters = node.params ?? []
  if (parameters.some((each) => each.type === 'RestElement' && each.argument.name === name)) return true
  if (parameters.some((each) => each.name === name || each.left?.name === name)) return false
  return node.parent !== null && node.parent !== undefined && isRest(node.parent, name)
}

export default { meta: { name: 'muster' }, rules: { 'no-spread-data': noSpreadData } }
