import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { assignedQuery, mentionsQuery, myTasksQuery } from '../api/my-work.ts'
import { snoozedQuery } from '../api/snooze.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { AssignedRecords } from './assigned-records.tsx'
import { TaskItems } from './task-items.tsx'
import { MentionItem, SnoozedItem } from './work-items.tsx'

/** What waits for the reader, of all tables: tasks, records, mentions, and what was snoozed. */
export function MyWorkView() {
  const { t } = useTranslation()
  useKeys([
    { keys: 'j', label: t('myWork.keyNext'), run: () => move(1) },
    { keys: 'k', label: t('myWork.keyPrevious'), run: () => move(-1) },
  ])
  const [tasks, assigned, mentions, snoozed] = [
    useQuery(myTasksQuery),
    useQuery(assignedQuery),
    useQuery(mentionsQuery),
    useQuery(snoozedQuery),
  ]
  const all = [tasks, assigned, mentions, snoozed]
  const isNothing = all.every(({ data }) => data?.length === 0)
  return (
    <div className="screen my-work">
      <Title>{t('myWork.title')}</Title>
      <h1>{t('myWork.title')}</h1>
      {isNothing && <Empty title={t('myWork.empty')}>{t('myWork.emptyWhy')}</Empty>}
      <Section title={t('myWork.tasks')} {...tasks}>
        {tasks.data && <TaskItems tasks={tasks.data} />}
      </Section>
      <Section title={t('myWork.assigned')} {...assigned}>
        {assigned.data?.map((one) => (
          <AssignedRecords key={one.table.name} assigned={one} />
        ))}
      </Section>
      <Section title={t('myWork.mentions')} {...mentions}>
        {mentions.data?.map((notice) => (
          <MentionItem key={notice.id} notice={notice} />
        ))}
      </Section>
      <Section title={t('myWork.snoozed')} {...snoozed}>
        {snoozed.data?.map((one) => (
          <SnoozedItem key={`${one.model} ${one.id}`} snoozed={one} />
        ))}
      </Section>
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly data: readonly unknown[] | undefined
  readonly error: unknown
  readonly refetch: () => void
  readonly children: ReactNode
}

/** One kind of work; nothing where there is none of it. */
function Section({ title, data, error, refetch, children }: SectionProps) {
  if (!error && data?.length === 0) return null
  return (
    <section className="work-section" aria-label={title}>
      <h2>{title}</h2>
      {error ? <Failed error={error} retry={refetch} /> : !data && <Loading lines={2} height={32} />}
      {data && <ul className="plain-list">{children}</ul>}
    </section>
  )
}

/** Moves the focus among what is listed, from wherever it is. */
function move(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('.work-item a')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus()
}
