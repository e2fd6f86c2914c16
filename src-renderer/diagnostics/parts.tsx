import { useId, type ReactNode } from 'react'
import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import {
  inOrder,
  momentText,
  momentLabels,
  moveText,
  proxyText,
  sizeText,
  spanText,
  teamLines,
  threadLabels,
  waitText,
} from '../../src-shared/text/diagnostics.ts'
import { updateLines } from '../../src-shared/text/update-lines.ts'
import { reasonText } from '../connections/format.ts'
import { Moment } from '../lib/ui/moment.tsx'
import { many } from '../lib/format/numbers.ts'
import { waitReasonText } from '../lib/format/pacing.ts'
import { laneLabels } from '../lib/format/points.ts'
import { storedFiles } from './file-format.ts'
import { NothingYet } from './read-elsewhere.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'

interface Props {
  seen: Diagnostics
}

function Panel({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  const id = useId()
  return (
    <section className={wide ? 'diagnostics-panel wide' : 'diagnostics-panel'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

export function Start({ seen: { start } }: Props) {
  return (
    <Panel title="Startup">
      <dl className="facts">
        <div>
          <dt>Process started</dt>
          <dd>
            <Moment at={start.at} />
          </dd>
        </div>
        {inOrder(start.moments).map((moment) => (
          <div key={moment.what}>
            <dt>{momentLabels[moment.what]}</dt>
            <dd className="amount">
              {moment.ms === null ? <span className="absent">not yet</span> : momentText(moment)}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** Named facts, one below the other. */
function Facts({ facts }: { facts: readonly { name: string; text: ReactNode }[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Versions({ seen: { versions } }: Props) {
  return (
    <Panel title="Versions">
      <Facts facts={versions.map(({ name, version }) => ({ name, text: version }))} />
    </Panel>
  )
}

/** The state of updates, and what prevents them. */
export function Updates({ seen: { updates } }: Props) {
  return (
    <Panel title="Updates">
      <Facts facts={updateLines(updates).map(({ name, text }) => ({ name, text: <Isolated>{text}</Isolated> }))} />
    </Panel>
  )
}

/** What a member of a team knows of it; nothing for a Muster on its own. */
export function Team({ seen: { team } }: Props) {
  if (team === null) return null
  return (
    <Panel title="Team">
      <Facts facts={teamLines(team)} />
    </Panel>
  )
}

/** The event loop delay of both threads in the last minute, and their memory. */
export function Threads({ seen: { threads, dataSilent, rss } }: Props) {
  return (
    <Panel title="Threads">
      <table className="amounts">
        <caption className="sr-only">Event loop delay in the last minute, and memory of each thread</caption>
        <thead>
          <tr>
            <th scope="col">Thread</th>
            <th scope="col">Delay p50</th>
            <th scope="col">p99</th>
            <th scope="col">Max</th>
            <th scope="col">Heap</th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {threads.map(({ name, delay, heapUsed, heapTotal }) => (
            <tr key={name}>
              <th scope="row">{threadLabels[name]}</th>
              <td>{delay === null ? '–' : spanText(delay.p50)}</td>
              <td>{delay === null ? '–' : spanText(delay.p99)}</td>
              <td>{delay === null ? '–' : spanText(delay.max)}</td>
              <td>{sizeText(heapUsed)}</td>
              <td>{sizeText(heapTotal)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {dataSilent !== '' && <p className="diagnostics-note">The data thread is not among them: {dataSilent}.</p>}
      <p className="diagnostics-note">
        How late the event loops were in the last minute. The whole process holds {sizeText(rss)} of memory.
      </p>
    </Panel>
  )
}

export function SecretsAndProxies({ seen: { keychain, proxies } }: Props) {
  return (
    <Panel title="Secrets and proxies">
      <dl className="facts">
        <div>
          <dt>Client secrets</dt>
          <dd>{storageText(keychain)}</dd>
        </div>
        {proxies.map((one) => (
          <div key={one.host}>
            <dt>
              <Isolated>{one.host}</Isolated>
            </dt>
            <dd>
              <Isolated>{proxyText(one)}</Isolated>
            </dd>
          </div>
        ))}
        {proxies.length === 0 && (
          <div>
            <dt>Proxies</dt>
            <dd>
              <span className="absent">There is no connection yet.</span>
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  )
}

function storageText({ kind, detail }: Diagnostics['keychain']): string {
  switch (kind) {
    case 'keychain':
      return `In this computer’s keychain: ${detail}`
    case 'locked':
      return `${detail}. What is typed meanwhile is in memory.`
    case 'session':
      return `In memory until Muster quits: ${reasonText(detail)}`
    default:
      return kind satisfies never
  }
}

export function Files({ seen }: Props) {
  return (
    <Panel title="Stored on this computer">
      <dl className="facts">
        {storedFiles(seen).map(({ what, bytes, holds }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd className="amount">
              {sizeText(bytes)}
              {holds !== '' && <span className="diagnostics-rows">{holds}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

export function Queues({ seen: { queues } }: Props) {
  return (
    <Panel title="Request queue" wide>
      {queues.length === 0 && <p className="diagnostics-note">There is no connection that could wait.</p>}
      {queues.map((queue) => (
        <div key={queue.name} className="diagnostics-queue">
          <h3>
            <Isolated>{queue.name}</Isolated>
          </h3>
          <ul>
            <li>{waitText(queue)}</li>
            {queue.waits.map(({ name, lane, why, count }) => (
              <li key={`${name} ${lane} ${why}`}>
                {name}, {laneLabels[lane]}, {many(count, 'request')}: {waitReasonText({ why, until: null }, 0)}
              </li>
            ))}
            {queue.waited.map(({ lane, count, p50, max }) => (
              <li key={lane}>
                {laneLabels[lane]}: of the last {many(count, 'request')} half waited {spanText(p50)} or less, none
                longer than {spanText(max)}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Panel>
  )
}

/** The history of each live connection, the last change first. */
export function Sockets({ seen: { connections } }: Props) {
  return (
    <Panel title="Live connections since startup" wide>
      {connections.length === 0 && <p className="diagnostics-note">There is no connection yet.</p>}
      {connections.map(({ id, name, moves }) => {
        const last = moves.at(-1)
        return (
          <details key={id} className="diagnostics-socket">
            <summary>
              <Isolated>{name}</Isolated>
              <span>
                {last === undefined ? (
                  <NothingYet connection={id} />
                ) : (
                  <>
                    <Moment at={last.at} /> {moveText(last)}
                  </>
                )}
              </span>
              {last !== undefined && <span className="count">{many(moves.length, 'change')}</span>}
            </summary>
            <ol reversed>
              {moves.toReversed().map((move, at) => (
                <li key={`${move.at} ${moves.length - at}`}>
                  <Moment at={move.at} />
                  <span>{moveText(move)}</span>
                </li>
              ))}
            </ol>
          </details>
        )
      })}
    </Panel>
  )
}

export function Log({ seen: { log } }: Props) {
  const lines = log
    .toReversed()
    .map(({ at, level, text }) => `${new Date(at).toISOString()} ${level.padEnd(5)} ${text}`)
    .join('\n')
  return (
    <Panel title="Last lines of the log, the latest first, times in UTC" wide>
      {log.length === 0 ? (
        <p className="diagnostics-note">No log lines since startup.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
        <pre className="diagnostics-log" tabIndex={0} role="region" aria-label="Log">
          {lines}
        </pre>
      )}
    </Panel>
  )
}
