import { useState, type ReactNode } from 'react'
import { Button, Heading, Input, Label, TextField } from 'react-aria-components'

interface Props {
  title: string
  /** Text of the button. */
  act: string
  /** The present name. */
  name: string
  /** Returns a name as it is kept; '' for one that is none. */
  clean: (name: string) => string
  onName: (name: string) => void
  onClose: () => void
  /** Further fields. */
  children: ReactNode
}

/** A form within a dialog that asks for a name. */
export function NameForm({ title, act, name: present, clean, onName, onClose, children }: Props) {
  const [name, setName] = useState(present)
  const isGood = clean(name) !== ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isGood) return
        onName(clean(name))
        onClose()
      }}
    >
      <Heading slot="title">{title}</Heading>
      <TextField
        className="field"
        value={name}
        onChange={setName}
        maxLength={200}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that was just asked for
        autoFocus
        onFocus={(event) => event.target instanceof HTMLInputElement && event.target.select()}
      >
        <Label>Name</Label>
        <Input className="input" autoComplete="off" />
      </TextField>
      {children}
      <div className="dialog-actions">
        <Button className="button" onPress={onClose}>
          Cancel
        </Button>
        <Button className="button primary" type="submit" isDisabled={!isGood}>
          {act}
        </Button>
      </div>
    </form>
  )
}
