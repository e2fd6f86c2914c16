import type { Answer } from '../../src-shared/contract/contract.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { AppContext } from '../lib/context.ts'

type Context = Pick<AppContext, 'session' | 'deviceActions'>

/** Changes settings where no place of its own says why that was rejected: the message over the screen says it. */
export async function changeSettings({ session, deviceActions }: Context, part: Partial<Settings>): Promise<void> {
  showRejection({ deviceActions }, await session.change(part))
}

/** Shows why a change was rejected. One that succeeds clears the reason of an earlier one. */
export function showRejection({ deviceActions }: Pick<Context, 'deviceActions'>, answer: Answer<unknown>): void {
  if (!answer.ok) deviceActions.report({ fault: answer.fault })
  else if (deviceActions.message.get().fault !== null) deviceActions.forget()
}
