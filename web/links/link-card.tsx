import type { ReactNode } from 'react'
import { Title } from '../parts/title.tsx'

/** A page behind a mailed link: one thing to do, outside of the frame for people who are signed in. */
export const LinkCard = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <main className="sign-in">
    <Title>{title}</Title>
    <div className="card stack">
      <h1>{title}</h1>
      {children}
    </div>
  </main>
)

/** How it ended. The heading takes the focus, so that everybody learns of it. */
export const LinkOutcome = ({
  title,
  text,
  children,
}: {
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
}) => (
  <main className="sign-in">
    <Title>{title}</Title>
    <div className="card stack">
      <h1 tabIndex={-1} ref={(heading) => heading?.focus()}>
        {title}
      </h1>
      <p>{text}</p>
      {children}
    </div>
  </main>
)
