/** What is left when drawing the window failed: the core runs on, and a reload draws anew. */
export function Broken({ name }: { name: string }) {
  return (
    <div className="broken" role="alert">
      <h1>The window could not be drawn.</h1>
      <p>Muster itself runs on: it keeps reading, listening and recording. Load the window again to see it.</p>
      <p className="muted-text">{name}</p>
      <button type="button" className="button primary" onClick={() => window.location.reload()}>
        Load again
      </button>
    </div>
  )
}
