import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { isRunning, type Job, jobQuery } from '../../api/jobs.ts'
import type { BulkOutcome } from '../../api/operations.ts'
import { quoteStored } from '../../words/service-words.ts'

/** How far the job is that was started last, and what became of each process. */
export function BulkJob({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const client = useQueryClient()
  const { data: job, error } = useQuery(jobQuery(id))
  const hasEnded = job !== undefined && !isRunning(job)
  useEffect(() => {
    // They are not as they were: here, in records, and among the tasks.
    if (hasEnded)
      for (const queryKey of [['operations'], ['about'], ['my-work']]) void client.invalidateQueries({ queryKey })
  }, [client, hasEnded])
  return (
    <section className="stack work-section" style={{ margin: 0 }} aria-label={t('operations.job')}>
      {error ? (
        <p className="problem" role="alert">
          {messageOf(error)}
        </p>
      ) : (
        !hasEnded && (
          <label className="progress">
            {job && job.total !== null ? t('bulk.progress', { done: job.done, total: job.total }) : t('bulk.running')}
            <progress value={job && job.total !== null ? job.done : undefined} max={job?.total ?? undefined} />
          </label>
        )
      )}
      {hasEnded && <Outcome job={job} />}
      {(hasEnded || error) && (
        <span>
          <Button size="compact-sm" variant="default" onClick={onClose}>
            {t('parts.close')}
          </Button>
        </span>
      )}
    </section>
  )
}

const shownErrors = 50

/** What a job did, and why processes were left as they are. */
function Outcome({ job: { status, result, errors } }: { readonly job: Job }) {
  const { t } = useTranslation()
  const { matched = 0, done, skipped, failed, has_more: hasMore } = (result ?? {}) as Partial<BulkOutcome>
  const more = (failed ?? errors.length) - shownErrors
  return (
    <div role="status">
      {status === 'failed' && <p className="problem">{t('operations.stopped')}</p>}
      {done !== undefined && <p>{t('operations.done', { done, matched })}</p>}
      {skipped !== undefined && skipped > 0 && <p className="quiet">{t('operations.skipped', { count: skipped })}</p>}
      {hasMore && <p className="quiet">{t('operations.hasMore')}</p>}
      {errors.length > 0 && (
        <ul className="bulk-errors">
          {errors.slice(0, shownErrors).map(({ message, code, instance_id: process }, index) => (
            <li key={index}>
              {typeof process === 'number' && <b>{t('operations.process', { id: process })}</b>}{' '}
              <span className="problem">{quoteStored(message, typeof code === 'string' ? code : undefined)}</span>
            </li>
          ))}
          {more > 0 && <li className="quiet">{t('operations.moreErrors', { count: more })}</li>}
        </ul>
      )}
    </div>
  )
}
