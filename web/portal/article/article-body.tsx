import { useLayoutEffect, useRef } from 'react'
import { cleanMail } from '../../parts/clean-mail.ts'

const markup = /<\/?[a-z][^>]*>/i
const attached: ReadonlyMap<string, string> = new Map()

/** The text of an article. What it has of markup is built anew from what is allowed, in the look of the app; nothing runs. */
export function ArticleBody({ body }: { readonly body: string }) {
  const holder = useRef<HTMLDivElement>(null)
  const isMarkup = markup.test(body)
  useLayoutEffect(() => {
    if (!isMarkup) return
    const { content } = cleanMail(body, document, { attached, withRemote: false, withStyles: false })
    holder.current?.replaceChildren(content)
  }, [body, isMarkup])
  return isMarkup ? (
    <div key="markup" ref={holder} className="article-body" />
  ) : (
    <p key="text" className="article-body long-text">
      {body}
    </p>
  )
}
