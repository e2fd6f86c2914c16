import { explain, type Fault } from '../../src-shared/fault.ts'

/** What an act came to when it failed, said at once; always in the document, so that it is read out. */
export function FaultNote({ fault }: { fault: Fault | null }) {
  return (
    <div role="alert">
      {fault !== null && <p className="form-fault"><strong>{explain(fault).title}</strong> {explain(fault).advice}{fault.detail !== '' && <span className="particulars"> <bdi>{fault.detail}</bdi></span>}</p>}
    </div>
  )
}
