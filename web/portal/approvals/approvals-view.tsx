import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { approvalsQuery } from '../../api/portal.ts'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Title } from '../../parts/title.tsx'
import { ApprovalCard } from './approval-card.tsx'

/** What waits for the reader's decision. */
export function ApprovalsView() {
  const { t } = useTranslation()
  const { data: approvals, error, refetch } = useQuery(approvalsQuery)
  const [done, setDone] = useState('')
  return (
    <div className="portal-screen">
      <Title>{t('shell.approvals')}</Title>
      <h1>{t('shell.approvals')}</h1>
      <p role="status" className={done ? 'portal-notice' : 'visually-hidden'}>
        {done}
      </p>
      {error && <Failed error={error} retry={refetch} />}
      {!approvals && !error && <Loading lines={3} height={120} />}
      {approvals?.length === 0 && <Empty title={t('portal.noApprovals')}>{t('portal.noApprovalsWhy')}</Empty>}
      <ul className="plain-list approvals">
        {approvals?.map((approval) => (
          <li key={approval.id}>
            <ApprovalCard approval={approval} onDecided={(outcome) => setDone(t('portal.decided', { outcome }))} />
          </li>
        ))}
      </ul>
    </div>
  )
}
