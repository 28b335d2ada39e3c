import { Failed, Loading } from '../parts/states.tsx'

/** What a link leads to is being read, or could not be read. */
export const LinkState = ({ error, retry }: { readonly error: unknown; readonly retry: () => void }) => (
  <main className="sign-in">
    <div className="card">{error ? <Failed error={error} retry={retry} /> : <Loading lines={5} height={28} />}</div>
  </main>
)
