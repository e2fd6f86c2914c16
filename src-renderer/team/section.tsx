import '../styles/team.css'
import { CircleCheck, LoaderCircle, TriangleAlert, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from 'react-aria-components'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import type { AppState } from '../lib/session.ts'
import { afterFrames, isFocusLost } from '../lib/ui/focus.ts'
import { Fact } from '../lib/ui/fact.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import { NameText } from '../lib/ui/name-text.tsx'
import { fullTime, span } from '../lib/format/time.ts'
import { Group } from '../settings/fields/fields.tsx'
import { useSettings } from '../settings/use-settings.ts'
import { TeamFaultNote, TeamFaultText } from './fault-text.tsx'
import { LeaveTeamDialog } from './leave-dialog.tsx'
import { Leads, Members } from './members.tsx'
import { TeamDialog } from './team-dialog.tsx'
import { useLanding } from './use-landing.ts'
import { useTeam } from './use-team.ts'
import { type JoinedTeam, evaluatorText, isCurrent, linkWords, waitingText } from './words.ts'

const id = 'settings-team'

type Asked = 'none' | 'join' | 'change' | 'leave'

/** The team that this Muster shares its connections and incidents with, or the way into one. */
export function TeamSection({ keychain, coreLost }: Pick<AppState, 'keychain'> & { coreLost: boolean }) {
  const [asked, setAsked] = useState<Asked>('none')
  const { answer, again } = useTeam(coreLost)
  useLanding(id, answer !== null)
  const done = () => setAsked('none')
  const changed = () => {
    done()
    again()
    // The button that opened the dialog may be gone, and the window begins anew only later.
    afterFrames(() => {
      if (isFocusLost()) document.querySelector<HTMLElement>(`#${id} > h2`)?.focus({ preventScroll: true })
    })
  }
  const team = answer?.ok === true ? answer.value.joined : null
  return (
    <Group name="Team" id={id}>
      {answer === null && (
        <p className="team-none" role="status">
          {coreLost ? 'Unknown while Muster’s core is not running.' : 'Loading…'}
        </p>
      )}
      <TeamFaultNote fault={answer?.ok === false ? answer.fault : null} />
      {answer?.ok === false && (
        <Button className="button team-again" isDisabled={coreLost} onPress={again}>
          Try again
        </Button>
      )}
      {answer?.ok === true && team === null && <Alone coreLost={coreLost} onJoin={() => setAsked('join')} />}
      {team !== null && <Joined team={team} coreLost={coreLost} onAsk={setAsked} />}
      {(asked === 'join' || asked === 'change') && (
        <TeamDialog
          isChange={asked === 'change'}
          keychain={keychain}
          coreLost={coreLost}
          onDone={done}
          onJoined={changed}
        />
      )}
      {asked === 'leave' && team !== null && <LeaveTeamDialog coreLost={coreLost} onStay={done} onLeft={changed} />}
    </Group>
  )
}

function Alone({ coreLost, onJoin }: { coreLost: boolean; onJoin: () => void }) {
  return (
    <div className="team-top">
      <p>
        In a team, several Musters share one PostgreSQL database: one member reads each connection for all, and
        incidents are the same for all. Secrets never leave this computer; this Muster’s own data stays as it is, and
        comes back when it leaves the team.
      </p>
      <div className="team-actions">
        <Button className="button" isDisabled={coreLost} onPress={onJoin}>
          <Users size={14} aria-hidden />
          Join a team
        </Button>
      </div>
    </div>
  )
}

interface JoinedProps {
  team: JoinedTeam
  coreLost: boolean
  onAsk: (asked: Asked) => void
}

function Joined({ team, coreLost, onAsk }: JoinedProps) {
  const { address, operator, hasCa, members, leads, evaluator } = team
  const current = isCurrent(team, coreLost)
  const isKnown = current && !team.isCatchingUp
  return (
    <>
      <div className="team-top">
        <LinkState team={team} coreLost={coreLost} />
        <div className="team-actions">
          <Button className="button" isDisabled={coreLost} onPress={() => onAsk('change')}>
            Change…
          </Button>
          <Button className="button" isDisabled={coreLost} onPress={() => onAsk('leave')}>
            Leave team
          </Button>
        </div>
      </div>
      <dl className="facts">
        <Fact name="Address">
          <Isolated className="team-address">{address}</Isolated>
        </Fact>
        <Fact name="Your name">
          <NameText name={operator} />
        </Fact>
        {hasCa && <Fact name="CA certificate">Your own, beside the system’s</Fact>}
      </dl>
      {team.waitingActs > 0 && <p className="team-stale">{waitingText(team.waitingActs)}</p>}
      {!current && members.length > 0 && <p className="team-stale">The lists below are as they were known last.</p>}
      <Members members={members} isCurrent={current} />
      <Leads leads={leads} isKnown={isKnown} />
      <p className="team-evaluator">{evaluatorText(evaluator, isKnown)}</p>
    </>
  )
}

const icons = { good: CircleCheck, busy: LoaderCircle, warn: TriangleAlert }

function LinkState({ team, team: { link }, coreLost }: Omit<JoinedProps, 'onAsk'>) {
  const { tone, words, since, advice } = linkWords(team, coreLost)
  const Icon = icons[tone]
  return (
    <div className="team-link" data-tone={tone}>
      <Icon size={15} aria-hidden />
      <p>
        <strong role="status">{words}</strong>
        {since !== null && <Since at={since} />}
      </p>
      {advice !== '' && <Note>{advice}</Note>}
      {link.is === 'lost' && !coreLost && (
        <Note>
          <TeamFaultText fault={link.fault} />
        </Note>
      )}
    </div>
  )
}

const Note = ({ children }: { children: ReactNode }) => <p className="team-note">{children}</p>

/** How long the state lasts, with its begin as tooltip. It is outside of the live region, because it changes all the time. */
function Since({ at }: { at: number }) {
  const { times } = useSettings()
  const words = useTickedText((now) => ` for ${span(now - at)}`)
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at, times)}>
      {words}
    </time>
  )
}
