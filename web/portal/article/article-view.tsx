import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import ThumbsDown from 'lucide-react/icons/thumbs-down'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { useTranslation } from 'react-i18next'
import { isMissing, useMessageOf } from '../../api/failures.ts'
import { type Article, articleQuery, useVote } from '../../api/portal.ts'
import { Failed, Loading } from '../../parts/states.tsx'
import { Moment } from '../../parts/time.tsx'
import { Title } from '../../parts/title.tsx'
import { NotFound } from '../../shell/screen-states.tsx'
import { BackLink } from '../back-link.tsx'
import { ArticleBody } from './article-body.tsx'

/** One article. */
export function ArticleView() {
  const id = Number(useParams({ from: '/portal/articles/$id' }).id)
  const { data: article, error, refetch } = useQuery(articleQuery(id))
  if (isMissing(error)) return <NotFound />
  return (
    <div className="portal-screen">
      <BackLink to="/portal" />
      {error ? <Failed error={error} retry={refetch} /> : article ? <Shown article={article} /> : <Loading lines={8} />}
    </div>
  )
}

function Shown({ article }: { readonly article: Article }) {
  const { t } = useTranslation()
  const { title, category, body, updated_at: updatedAt } = article
  return (
    <>
      <Title>{title}</Title>
      <article className="portal-card article">
        <h1>{title}</h1>
        <p className="quiet small">
          {category && `${category} · `}
          {t('portal.updated')} <Moment at={updatedAt} short />
        </p>
        <ArticleBody body={body} />
      </article>
      <Vote article={article} />
      <p className="portal-aside">
        {t('portal.stillHelp')} <Link to="/portal">{t('portal.ask')}</Link>
      </p>
    </>
  )
}

/** Whether the article helped; it may be said again. */
function Vote({ article: { id, my_vote: vote } }: { readonly article: Article }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const say = useVote(id)
  const button = (isHelpful: boolean) => {
    const isChosen = vote === (isHelpful ? 'helpful' : 'not_helpful')
    return (
      <Button
        variant={isChosen ? 'filled' : 'default'}
        aria-pressed={isChosen}
        leftSection={isHelpful ? <ThumbsUp size={16} aria-hidden /> : <ThumbsDown size={16} aria-hidden />}
        loading={say.isPending && say.variables === isHelpful}
        onClick={() => say.mutate(isHelpful)}
      >
        {isHelpful ? t('portal.yes') : t('portal.no')}
      </Button>
    )
  }
  return (
    <section className="portal-card vote" aria-label={t('portal.helpful')}>
      <h2>{t('portal.helpful')}</h2>
      <div className="portal-actions">
        {button(true)}
        {button(false)}
      </div>
      <p role="status" className="quiet">
        {vote && t('portal.thanks')}
      </p>
      {say.error && (
        <p className="problem" role="alert">
          {messageOf(say.error)}
        </p>
      )}
    </section>
  )
}
