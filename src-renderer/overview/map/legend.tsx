import { legendOf, type Colouring, type Look } from './looks.ts'

/** What the colours and fills of the map mean. */
export function Legend({ colouring }: { colouring: Colouring }) {
  return (
    <ul className="map-legend" aria-label="Legend">
      {legendOf(colouring).map(({ look, word }) => (
        <li key={word}>
          <Swatch look={look} />
          {word}
        </li>
      ))}
      <li>
        <span className="map-swatch">
          <span className="map-swatch-watched" />
        </span>
        watched
      </li>
    </ul>
  )
}

function Swatch({ look: { fill, tone, hatched } }: { look: Look }) {
  return (
    <span className="map-swatch" aria-hidden="true">
      {hatched > 0 && <span className="map-swatch-hatched" style={{ blockSize: `${hatched * 100}%` }} />}
      {fill > 0 && <span className={`map-swatch-fill map-swatch-${tone}`} style={{ blockSize: `${fill * 100}%` }} />}
    </span>
  )
}
