import { Button, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ArticleState, roleNamesQuery } from '../api/articles.ts'
import { fieldErrorsOf, isConflict, isMissing, useMessageOf } from '../api/failures.ts'
import { may, useUser } from '../api/permissions.ts'
import { queryClient } from '../api/query-client.ts'
import {
  type EntityRecord,
  type RecordData,
  recordKey,
  recordQuery,
  useChangeRecord,
  useCreateRecord,
} from '../api/records.ts'
import { useRequestKey } from '../api/request-key.ts'
import { articlesTable } from '../api/tables.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { ArticleText } from '../parts/article/article-text.tsx'
import { useDraft } from '../parts/drafts.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { tell } from '../parts/undo.tsx'
import { NotFound } from '../shell/screen-states.tsx'
import { RichText } from './rich-text.tsx'

const ArticleVersions = lazy(() => import('./article-versions.tsx'))

/** An article as it is written; `new` in the address begins one. */
export function ArticleView() {
  const { id } = useParams({ from: '/frame/articles/$id' })
  const number = Number(id)
  const isNew = id === 'new'
  const { data, error, refetch } = useQuery({ ...recordQuery(articlesTable, number), enabled: number > 0 })
  if (isNew) return <ArticleEditor key="new" article={undefined} />
  if (!(number > 0) || (error && isMissing(error))) return <NotFound />
  if (error) return <Failed error={error} retry={() => void refetch()} />
  return data ? <ArticleEditor key={number} article={data} /> : <Loading lines={8} />
}

/** What is written, as it is stored. */
interface Draft {
  readonly title: string
  readonly category: string
  readonly body: string
  readonly roles: readonly string[]
}

const draftOf = (data: RecordData | undefined): Draft => ({
  title: String(data?.['title'] ?? ''),
  category: String(data?.['category'] ?? ''),
  body: String(data?.['body'] ?? ''),
  roles: Array.isArray(data?.['roles']) ? data['roles'].map(String) : [],
})

type Typed = Partial<Draft>
const nothing: Typed = {}

/** What was typed before and not saved. */
const typedBefore = ({ title, category, body, roles }: Readonly<Record<string, unknown>>): Typed => ({
  ...(typeof title === 'string' && { title }),
  ...(typeof category === 'string' && { category }),
  ...(typeof body === 'string' && { body }),
  ...(Array.isArray(roles) && { roles: roles.map(String) }),
})

const toKeep = (typed: Typed): Typed | undefined => (Object.keys(typed).length > 0 ? typed : undefined)

function ArticleEditor({ article }: { readonly article: EntityRecord | undefined }) {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const {
    draft: typed,
    change: set,
    clear,
  } = useDraft(`article ${article?.id ?? 'new'}`, nothing, { read: typedBefore, write: toKeep })
  /** The editor begins anew where what is stored changed without it. */
  const [round, setRound] = useState(0)
  const [isPast, setPast] = useState(false)
  const stored = draftOf(article?.data)
  const draft = { ...stored, ...typed }
  const state: ArticleState = article?.data['state'] === 'published' ? 'published' : 'draft'
  const mayWrite = may(user, article ? 'update' : 'create', articlesTable)
  const { data: roles = user.roles } = useQuery({ ...roleNamesQuery, enabled: user.permissions.includes('*') })
  const { keyOf } = useRequestKey()
  const create = useCreateRecord(articlesTable)
  const change = useChangeRecord(articlesTable)
  const error = create.error ?? change.error
  const errors = fieldErrorsOf(error)
  const isSaving = create.isPending || change.isPending
  const isDirty = JSON.stringify(draft) !== JSON.stringify(stored)
  function save(next: ArticleState = state, version = article?.version): void {
    if (isSaving || !mayWrite) return
    const { title, category, body } = draft
    const data = {
      title: title.trim(),
      category: category.trim() || null,
      body: body || null,
      roles: draft.roles.length > 0 ? [...draft.roles] : null,
      state: next,
    }
    const done = (): void => {
      clear()
      tell(t(next === state ? 'record.saved' : next === 'published' ? 'articles.isPublished' : 'articles.isDraft'))
    }
    if (article && version !== undefined)
      return change.mutate({ id: article.id, version, changes: data }, { onSuccess: done })
    create.mutate(
      { data, key: keyOf(data) },
      {
        onSuccess({ id }) {
          done()
          void navigate({ to: '/articles/$id', params: { id: String(id) }, replace: true })
        },
      },
    )
  }
  useKeys(mayWrite ? [{ keys: 'mod+enter', label: t('record.save'), run: () => save(), inFields: true }] : [])
  const heading = draft.title || t('articles.new')
  return (
    <div className="screen article">
      <Title>{heading}</Title>
      <header className="articles-head">
        <p className="quiet">
          <Link to="/articles">{t('articles.title')}</Link>
        </p>
        <h1 className="visually-hidden">{heading}</h1>
        <span className="badge">{t(state === 'published' ? 'articles.published' : 'articles.draft')}</span>
        <span className="record-actions push">
          {article && (
            <Button variant="subtle" onClick={() => setPast(true)}>
              {t('articles.versions')}
            </Button>
          )}
          {mayWrite && isDirty && article && (
            <Button variant="subtle" color="gray" onClick={beginAnew}>
              {t('record.discard')}
            </Button>
          )}
          {mayWrite && state === 'published' && (
            <Button variant="default" loading={isSaving} onClick={() => save('draft')}>
              {t('articles.withdraw')}
            </Button>
          )}
          {mayWrite && (
            <Button
              variant={state === 'published' ? 'filled' : 'default'}
              disabled={!isDirty}
              loading={isSaving}
              onClick={() => save()}
            >
              {t(state === 'published' ? 'record.save' : 'articles.saveDraft')}
            </Button>
          )}
          {mayWrite && state === 'draft' && (
            <Button loading={isSaving} onClick={() => save('published')}>
              {t('articles.publish')}
            </Button>
          )}
        </span>
      </header>
      {error && article && isConflict(error) ? (
        <p className="record-notice" role="alert">
          {t('articles.conflict')}
          <Button size="compact-sm" variant="default" onClick={() => void takeTheirs()}>
            {t('articles.takeTheirs')}
          </Button>
        </p>
      ) : (
        error &&
        !errors['title'] && (
          <p className="problem" role="alert">
            {messageOf(error)}
          </p>
        )
      )}
      {mayWrite ? (
        <form className="article-form" onSubmit={(event) => event.preventDefault()}>
          <TextInput
            label={t('articles.name')}
            required
            maxLength={200}
            value={draft.title}
            error={errors['title']}
            autoFocus={!article}
            onChange={(event) => set({ title: event.currentTarget.value })}
          />
          <RichText key={round} text={draft.body} label={t('articles.text')} onChange={(body) => set({ body })} />
          <div className="article-facts">
            <TextInput
              label={t('articles.category')}
              maxLength={100}
              value={draft.category}
              onChange={(event) => set({ category: event.currentTarget.value })}
            />
            <TagsInput
              label={t('articles.roles')}
              description={t('articles.rolesWhy')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={[...roles]}
              value={[...draft.roles]}
              error={errors['roles']}
              onChange={(names) => set({ roles: names })}
            />
          </div>
        </form>
      ) : (
        <div className="article-text">
          <h2>{draft.title}</h2>
          <ArticleText text={draft.body} />
        </div>
      )}
      <Suspense fallback={null}>
        {isPast && article && (
          <ArticleVersions article={article} onRestored={beginAnew} onClose={() => setPast(false)} />
        )}
      </Suspense>
    </div>
  )

  async function takeTheirs(): Promise<void> {
    if (article) await queryClient.refetchQueries({ queryKey: recordKey(articlesTable, article.id) })
    beginAnew()
  }

  /** Shows what is stored, and forgets what was typed. */
  function beginAnew(): void {
    clear()
    change.reset()
    setRound(round + 1)
  }
}
