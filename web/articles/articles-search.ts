import type { ArticleState } from '../api/articles.ts'

/** What the address of the list of articles says. */
export interface ArticlesSearch {
  readonly q?: string
  readonly state?: ArticleState
  readonly mine?: true
}

/** Reads an address; what is not understood is left out. */
export const readArticlesSearch = ({ q, state, mine }: Record<string, unknown>): ArticlesSearch => ({
  ...(typeof q === 'string' && q !== '' && { q }),
  ...((state === 'draft' || state === 'published') && { state }),
  ...(mine === true && { mine }),
})
