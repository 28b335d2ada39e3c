import { Link } from '@tanstack/react-router'
import BookOpen from 'lucide-react/icons/book-open'
import type { ArticleHead } from '../api/portal.ts'

/** An article with the beginning of its text. */
export function ArticleLink({ article: { id, title, excerpt } }: { readonly article: ArticleHead }) {
  return (
    <Link to="/portal/articles/$id" params={{ id: String(id) }} className="portal-row">
      <BookOpen size={18} aria-hidden />
      <span className="portal-row-text">
        <b>{title}</b>
        <span className="quiet clamp">{plain(excerpt)}</span>
      </span>
    </Link>
  )
}

/** A text with markup, without it: it is shown as text, whatever is in it. */
const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*(?:>|$)/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
