import { ArticleText } from '../../parts/article/article-text.tsx'

/** The text of an article. */
export const ArticleBody = ({ body }: { readonly body: string }) => (
  <div className="article-body article-text">
    <ArticleText text={body} />
  </div>
)
