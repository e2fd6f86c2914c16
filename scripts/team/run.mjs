// Node 24, by scripts/team.mjs: the first argument is its flags as JSON.
import process from 'node:process'
import { createInterface } from 'node:readline'
import { commandList, readCommand } from './commands.mjs'
import { openMember, operators } from './members.mjs'
import { startShared } from './shared.mjs'

const flags = JSON.parse(process.argv[2] ?? '{}')
/** A second signal so much later ends at once, ms: npm and the terminal may both send the first. */
const patience = 1000

const print = (text) => void process.stdout.write(`${text}\n`)
const printError = (text) => void process.stderr.write(`${text}\n`)
const messageOf = (error) => (error instanceof Error ? error.message : String(error))

let members = []
let endingSince = null

const shared = startShared({
  devices: flags.devices,
  onEnd() {
    if (endingSince !== null || members.length === 0) return
    printError('The database and the service have ended.')
    end(1)
  },
})

/** Ends the consoles first, so that they can say goodbye to the database. */
function end(code) {
  if (endingSince !== null) {
    if (performance.now() - endingSince > patience) process.exit(130)
    return
  }
  endingSince = performance.now()
  void stopAll().then(
    () => process.exit(code),
    () => process.exit(1),
  )
}

async function stopAll() {
  await Promise.allSettled(members.map((member) => member.end('stop')))
  await Promise.allSettled(members.map((member) => member.forget()))
  await shared.stop()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))
// npm run team has died.
process.on('disconnect', () => end(0))

const endedBy =
  ({ id, name }) =>
  (how) =>
    endingSince === null && print(`${name}’s console has ended (${how}). “start ${id}” starts it again.`)

async function begin() {
  print('Starting PostgreSQL, the reference service and three consoles …')
  const { folder, members: teams, service } = await shared.ready
  members = operators.map((operator) => openMember({ operator, folder, team: teams[operator.id], service }))
  const addresses = []
  // One after the other: the first makes the tables, and has the connection that the others find.
  for (const member of members) {
    if (endingSince !== null) return
    addresses.push(await member.start({ isFirst: true, onEnd: endedBy(member) }))
  }
  print(welcome(addresses))
  if (flags.open) await Promise.all(members.map((member) => member.address(true)))
}

function welcome(addresses) {
  const lines = members.map(({ name, says }, at) => `  ${name.padEnd(6)}${addresses[at]}\n        ${says}`)
  return [
    `Three consoles are one team, with ${flags.devices.toLocaleString('en')} devices. Each address works once, in one tab:`,
    '',
    ...lines,
    '',
    'Try: Settings > Team in each window; acknowledge an incident in one and look at the others; “stop ann” or “kill ann”,',
    'and Ben reads the connection within seconds; “drop 20”, and all of them see it. Type:',
    '',
    commandList(),
  ].join('\n')
}

async function carryOut(command) {
  const member = members.find(({ id }) => id === command.name)
  switch (command.is) {
    case 'stop':
    case 'kill':
      if (!member.isRunning()) return `${member.name}’s console does not run.`
      await member.end(command.is)
      return `${member.name}’s console has ended.`
    case 'start':
      if (member.isRunning()) return `${member.name}’s console runs already. “open ${member.id}” gives another address.`
      return `${member.name}  ${await member.start({ onEnd: endedBy(member) })}`
    case 'open':
      if (!member.isRunning()) return `${member.name}’s console does not run. “start ${member.id}” starts it.`
      return `${member.name}  ${await member.address(flags.open)}`
    case 'drop':
    case 'restore':
      return `${await shared.ask(command.is, command.count)} devices ${command.is === 'drop' ? 'went offline' : 'came back'}.`
    case 'quit':
      return void end(0)
    case 'help':
      return commandList()
    case 'wrong':
      return command.text
    default:
      return undefined
  }
}

function listen() {
  const ids = members.map(({ id }) => id)
  let turn = Promise.resolve()
  createInterface({ input: process.stdin }).on('line', (line) => {
    turn = turn
      .then(() => carryOut(readCommand(line, ids)))
      .then(
        (text) => text !== undefined && print(text),
        (error) => printError(messageOf(error)),
      )
  })
}

begin().then(listen, (error) => {
  if (endingSince !== null) return
  printError(`The team could not be started: ${messageOf(error)}`)
  end(1)
})
