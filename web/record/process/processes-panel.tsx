import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Process, processesQuery } from '../../api/processes.ts'
import { useKeys } from '../../keyboard/keyboard.tsx'
import { ProcessEntry } from './process-entry.tsx'

const ProcessDialog = lazy(() => import('./process-dialog.tsx'))

/** The processes about a record, each with its picture; nothing where there are none. */
export function ProcessesPanel({ model, id }: { readonly model: string; readonly id: number }) {
  const { t } = useTranslation()
  const { data: processes = [] } = useQuery(processesQuery(model, id))
  const [opened, setOpened] = useState<number>()
  const [first] = processes.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)))
  const process = processes.find((one) => one.id === opened)
  useKeys(first ? [{ keys: 'p', label: t('process.key'), run: () => setOpened(first.id) }] : [])
  if (!first) return null
  return (
    <section className="side-panel" aria-label={t('process.title')}>
      <h2>{t('process.title')}</h2>
      <ul className="plain-list">
        {processes.map((one) => (
          <ProcessEntry key={one.id} model={model} record={id} process={one} onOpen={() => setOpened(one.id)} />
        ))}
      </ul>
      <Suspense fallback={null}>
        {process && <ProcessDialog model={model} record={id} process={process} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </section>
  )
}

const isOpen = ({ status }: Process): boolean => status === 'running' || status === 'incident' || status === 'suspended'
