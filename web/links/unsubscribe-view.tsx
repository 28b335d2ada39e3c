import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isMissing, useMessageOf } from '../api/failures.ts'
import { endingQuery, endNotices } from '../api/links.ts'
import { LinkCard, LinkOutcome } from './link-card.tsx'
import { LinkState } from './link-state.tsx'

/** Ends the notices that a mail was one of, once its reader says so, and takes that back. */
export function UnsubscribeView() {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { token } = useParams({ from: '/unsubscribe/$token' })
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(endingQuery(token))
  const ending = useMutation({
    mutationFn: (isEnded: boolean) => endNotices(token, isEnded),
    onSuccess: (after) => client.setQueryData(endingQuery(token).queryKey, after),
  })
  if (isMissing(error)) return <LinkOutcome title={t('links.endGoneTitle')} text={t('links.endGone')} />
  if (!data) return <LinkState error={error} retry={refetch} />
  const { company, record, is_of_record: isOfRecord, is_ended: isEnded } = data
  const name = record
    ? `${record.label} ${record.number}${record.title === null ? '' : `: ${record.title}`}`
    : t('links.endThis')
  const said = isOfRecord
    ? t(isEnded ? 'links.endedRecord' : 'links.endRecord', { company, record: name })
    : t(isEnded ? 'links.endedKind' : 'links.endKind', { company })
  const button = (
    <Button variant={isEnded ? 'default' : 'filled'} loading={ending.isPending} onClick={() => ending.mutate(!isEnded)}>
      {t(isEnded ? 'links.endAgain' : 'links.endAction')}
    </Button>
  )
  const problem = ending.error && (
    <p className="problem" role="alert">
      {messageOf(ending.error)}
    </p>
  )
  if (isEnded)
    return (
      <LinkOutcome title={t('links.endedTitle')} text={said}>
        {problem}
        {button}
      </LinkOutcome>
    )
  return (
    <LinkCard title={t('links.endTitle')}>
      <p>{said}</p>
      {problem}
      {button}
    </LinkCard>
  )
}
