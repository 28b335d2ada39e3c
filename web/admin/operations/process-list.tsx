import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '../../api/failures.ts'
import { allProcessesQuery, type ProcessSelection } from '../../api/operations.ts'
import { useKeys } from '../../keyboard/keyboard.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { BulkJob } from './bulk-job.tsx'
import { ProcessItem } from './process-item.tsx'

interface ProcessListProps {
  readonly selection: ProcessSelection
  readonly job: number | undefined
  readonly onJob: (job: number | undefined) => void
}

/** The processes of a selection, what can be done with those that are chosen, and how far that is. */
export function ProcessList({ selection, job, onJob }: ProcessListProps) {
  const { t } = useTranslation()
  const list = useInfiniteQuery(allProcessesQuery(selection))
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set())
  const pages = list.isPlaceholderData ? undefined : list.data?.pages
  const processes = pages?.flatMap(({ data }) => data)
  const meta: { readonly total: number; readonly total_exact?: boolean } | undefined = pages?.[0]?.meta
  // What left the list meanwhile is not chosen any more.
  const chosen = processes?.map(({ id }) => id).filter((id) => marked.has(id)) ?? []
  const isOpen = selection.status !== 'completed' && selection.status !== 'cancelled'
  useKeys([
    { keys: 'j', label: t('operations.keyNext'), run: () => move(1) },
    { keys: 'k', label: t('operations.keyPrevious'), run: () => move(-1) },
    ...(isOpen ? [{ keys: 'x', label: t('operations.keyChoose'), run: choose }] : []),
  ])
  const failure = failureOf(list)
  return (
    <>
      {job !== undefined && <BulkJob key={job} id={job} onClose={() => onJob(undefined)} />}
      {failure ? (
        <Failed error={failure} retry={() => void list.refetch()} />
      ) : (
        !processes && <Loading lines={6} height={36} />
      )}
      {processes?.length === 0 && (
        <Empty title={t(`operations.none_${selection.status}`)}>
          {selection.status === 'incident' && t('operations.noneWhy')}
        </Empty>
      )}
      {processes && processes.length > 0 && (
        <>
          {isOpen && (
            <BulkBar
              selection={selection}
              chosen={chosen}
              shown={processes.length}
              total={meta?.total ?? 0}
              isExact={meta?.total_exact !== false}
              onAll={(isAll) => setMarked(new Set(isAll ? processes.map(({ id }) => id) : []))}
              onStarted={(started) => {
                setMarked(new Set())
                onJob(started)
              }}
            />
          )}
          <ul className="plain-list work-section" style={{ margin: 0 }} aria-label={t('operations.title')}>
            {processes.map((process) => (
              <ProcessItem
                key={process.id}
                process={process}
                {...(isOpen && {
                  isChosen: marked.has(process.id),
                  onChoose: () => setMarked(toggled(marked, process.id)),
                })}
              />
            ))}
          </ul>
        </>
      )}
      {list.hasNextPage && (
        <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('record.older')}
        </Button>
      )}
    </>
  )
}

const toggled = (marked: ReadonlySet<number>, id: number): ReadonlySet<number> =>
  new Set(marked.has(id) ? [...marked].filter((one) => one !== id) : [...marked, id])

/** Moves the focus from process to process: to where it is chosen, else to its record. */
function move(step: number): void {
  const items = [...document.querySelectorAll<HTMLElement>('.work-item')]
  const at = items.findIndex((item) => item.contains(document.activeElement))
  const next = items[Math.min(Math.max(at + step, 0), items.length - 1)]
  next?.querySelector<HTMLElement>('input, a')?.focus()
}

/** Chooses the process that has the focus, or does not any more. */
function choose(): void {
  document.activeElement?.closest('.work-item')?.querySelector('input')?.click()
}
