/** Stands in the place of the query screen until it is loaded. */
export const LoadingScreen = () => (
  <div className="screen" id="query" tabIndex={-1}>
    <p className="screen-note" role="status">
      Loading…
    </p>
  </div>
)
