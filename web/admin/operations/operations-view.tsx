import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { templatesQuery } from '../../api/operations.ts'
import { useUser } from '../../api/permissions.ts'
import { Title } from '../../parts/title.tsx'
import { NotFound } from '../../shell/screen-states.tsx'
import { statuses } from './operations-search.ts'
import { ProcessList } from './process-list.tsx'

/** The processes of the company by status, for administrators: what failed is tried again or cancelled, one or many. */
export function OperationsView() {
  return useUser().permissions.includes('*') ? <Operations /> : <NotFound />
}

function Operations() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { status = 'incident', template, job } = useSearch({ from: '/frame/admin/operations' })
  const { data: templates = [] } = useQuery(templatesQuery)
  const search = { ...(template && { template }), ...(job && { job }) }
  const show = (changed: { readonly template?: number | undefined; readonly job?: number | undefined }): void => {
    const wanted = { template, job, ...changed }
    void navigate({
      to: '/admin/operations',
      search: {
        ...(status !== 'incident' && { status }),
        ...(wanted.template && { template: wanted.template }),
        ...(wanted.job && { job: wanted.job }),
      },
      replace: true,
    })
  }
  return (
    <div className="screen">
      <Title>{t('operations.title')}</Title>
      <div className="stack" style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <h1>{t('operations.title')}</h1>
        <nav className="view-tabs" style={{ flexWrap: 'wrap' }} aria-label={t('operations.byStatus')}>
          {statuses.map((one) => (
            <Link
              key={one}
              to="/admin/operations"
              search={{ ...search, ...(one !== 'incident' && { status: one }) }}
              className={one === status ? 'view-tab is-active' : 'view-tab'}
              aria-current={one === status ? 'page' : undefined}
            >
              {t(`operations.${one}`)}
            </Link>
          ))}
        </nav>
        <Select
          size="xs"
          style={{ maxInlineSize: 320 }}
          aria-label={t('operations.template')}
          placeholder={t('operations.everyTemplate')}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': t('operations.everyTemplate') }}
          nothingFoundMessage={t('operations.noTemplate')}
          value={template === undefined ? null : String(template)}
          onChange={(value) => show({ template: value === null ? undefined : Number(value) })}
          data={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        {/* Another selection begins with nothing chosen. */}
        <ProcessList
          key={`${status} ${template}`}
          selection={{ status, template }}
          job={job}
          onJob={(started) => show({ job: started })}
        />
      </div>
    </div>
  )
}
