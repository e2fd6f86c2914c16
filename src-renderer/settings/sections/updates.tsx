import { useId, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { copyLines } from '../../../src-shared/text/update-lines.ts'
import { caProblem, feedProblem, type Updates } from '../../../src-shared/model/updates.ts'
import { useAppContext } from '../../lib/context.ts'
import { Choice } from '../../lib/ui/choice.tsx'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Age, Moment } from '../../lib/ui/moment.tsx'
import { actionLabels, updateActions, updateHead, updateText } from '../../lib/format/updates.ts'
import { Group, rowOf, type Parts } from '../fields/fields.tsx'
import { FixedSetting, SettingRow, SettingSwitch, TextSetting } from '../fields/rows.tsx'
import { groupOf } from '../use-section.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

const channels = [
  { value: 'latest', word: 'Latest' },
  { value: 'beta', word: 'Beta' },
] as const

/** The available update, its actions, and the feed. */
export function UpdateSettings({ updates, version, ...parts }: Parts & { updates: Updates; version: string }) {
  const { now } = updates
  const lasting = now.is === 'off' && now.reason !== 'no-feed'
  return (
    <Group name="Updates" id={groupOf('updates')}>
      <UpdateNow updates={updates} version={version} coreLost={parts.coreLost} />
      {!lasting && <FeedSettings {...parts} by={updates.by} />}
      {updates.copy !== null && <FixedCopy copy={updates.copy} />}
    </Group>
  )
}

/** Information for the machine's administrator: whether a policy was read, and how this copy was installed. */
function FixedCopy({ copy }: { copy: NonNullable<Updates['copy']> }) {
  return (
    <div className="setting">
      <div className="setting-text">
        <h3>This copy</h3>
        {copyLines(copy).map(({ name, text }) => (
          <p key={name}>
            {name}: <Isolated>{text}</Isolated>
          </p>
        ))}
      </div>
    </div>
  )
}

function UpdateNow({ updates: { now }, version, coreLost }: { updates: Updates; version: string; coreLost: boolean }) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const head = useRef<HTMLHeadingElement>(null)
  const id = useId()
  const run = async (act: keyof typeof actionLabels) => {
    // The button disappears after use, so the focus moves to the heading.
    head.current?.focus()
    const answer = await session.pipe.call(`updates.${act}`, {})
    setFault(answer.ok ? null : answer.fault)
  }
  return (
    <div className="setting">
      <div className="setting-text">
        <h3 ref={head} tabIndex={-1} aria-describedby={id}>
          {updateHead(now, version)}
        </h3>
        <span className="sr-only" role="status">
          {updateHead(now, version)}
        </span>
        <p id={id}>
          {updateText(now)}
          {now.is === 'idle' && now.checkedAt !== null && (
            <>
              {' '}
              Checked <Age at={now.checkedAt} />.
            </>
          )}
        </p>
        {now.is === 'downloading' && (
          <progress
            aria-label="Download of the update"
            max={now.update.size ?? undefined}
            value={now.update.size === null ? undefined : now.transferred}
          />
        )}
        {'update' in now && now.update !== null && <Notes {...now.update} />}
        <FaultNote fault={fault} />
      </div>
      <div className="setting-control">
        {updateActions(now).map((act) => (
          <Button key={act} className="button" isDisabled={coreLost} onPress={() => void run(act)}>
            {actionLabels[act]}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** Release notes, always as plain text. */
function Notes({ version, notes, releasedAt }: { version: string; notes: string; releasedAt: number | null }) {
  return (
    <section className="release-notes" aria-label={`What is new in ${version}`}>
      {releasedAt !== null && (
        <p>
          Released <Moment at={releasedAt} />
        </p>
      )}
      {notes === '' ? (
        <p>There are no release notes.</p>
      ) : (
        <Isolated
          className="release-text"
          role="region"
          aria-label="Release notes"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
          tabIndex={0}
        >
          {notes}
        </Isolated>
      )}
    </section>
  )
}

function FeedSettings({ by, ...parts }: Parts & { by: Updates['by'] }) {
  const { settings, defaults, coreLost, change } = parts
  const fixed = (part: Updates['by']['fixed'][number]) => by.fixed.includes(part)
  const feed = {
    name: 'Feed',
    description:
      'The folder with new versions, as your organisation or the maker of Muster gives it: an https address. Without one, that of the package is asked, where it has its own. On Windows and macOS the system proves that an update is the same maker’s; on Linux nothing does but this address.',
  }
  const channel = { name: 'Channel', description: 'Beta has versions that are still being tried out.' }
  const self = {
    name: 'Download by itself',
    description: 'Updates download without asking. They are installed when you next start Muster yourself.',
  }
  return (
    <>
      {fixed('feed') ? (
        <FixedSetting {...feed} value={by.feed} />
      ) : (
        <TextSetting
          {...feed}
          value={settings.updateFeed}
          problem={feedProblem}
          placeholder={by.feed === '' ? 'https://updates.example/muster/' : by.feed}
          onValue={(updateFeed) => change({ updateFeed })}
          {...rowOf(parts, 'updateFeed', 'none')}
        />
      )}
      {fixed('channel') ? (
        <FixedSetting {...channel} value={by.channel} />
      ) : (
        <SettingRow {...channel} {...rowOf(parts, 'updateChannel', defaults.updateChannel)}>
          <Choice
            label="Channel"
            value={settings.updateChannel}
            options={channels}
            disabled={coreLost}
            onChange={(updateChannel) => change({ updateChannel })}
          />
        </SettingRow>
      )}
      {fixed('self') ? (
        <FixedSetting {...self} value="off" />
      ) : (
        <SettingRow {...self} {...rowOf(parts, 'updateSelf', defaults.updateSelf ? 'on' : 'off')}>
          <SettingSwitch
            label={self.name}
            on={settings.updateSelf}
            disabled={coreLost}
            onChange={(updateSelf) => change({ updateSelf })}
          />
        </SettingRow>
      )}
      <TextSetting
        name="CA certificate of the feed"
        description="Only if the feed, or a proxy of your company that looks into encrypted connections (TLS), has a certificate that this computer does not trust. It adds trust for the feed alone."
        lines={3}
        placeholder="-----BEGIN CERTIFICATE-----"
        value={settings.updateCa}
        problem={caProblem}
        onValue={(updateCa) => change({ updateCa })}
        {...rowOf(parts, 'updateCa', 'none')}
      />
    </>
  )
}
