import { everything } from '../../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../context.ts'
import { NameText } from '../name-text.tsx'

/** The name of a device, which opens it in the inventory. */
export function DeviceLink({ device, name, title }: { device: string; name: string; title?: string }) {
  const { session } = useAppContext()
  return (
    <button
      type="button"
      className="overview-link"
      title={title}
      onClick={() => session.open({ scope: everything, filter: '', device })}
    >
      <NameText name={name} clip />
    </button>
  )
}
