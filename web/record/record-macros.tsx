import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { type Macro, type MacroRun, useMacrosOf, useRunMacro } from '../api/macros.ts'
import { type EntityRecord, useChangeRecord } from '../api/records.ts'
import type { Table } from '../api/tables.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { MacroMenu } from '../parts/macro-menu.tsx'
import { offerUndo, tell } from '../parts/undo.tsx'

/** The macros of the table; one that goes on to the next record has a key. */
export function RecordMacros({ table, record }: { readonly table: Table; readonly record: EntityRecord }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useMessageOf()
  const { view } = useSearch({ from: '/frame/e/$model/$id' })
  const macros = useMacrosOf(table.name)
  const run = useRunMacro(table.name)
  const change = useChangeRecord(table.name)

  function offer({ name }: Macro, { record: after }: MacroRun): void {
    const before = Object.fromEntries(
      Object.entries(record.data).filter(
        ([field, value]) => JSON.stringify(value ?? null) !== JSON.stringify(after.data[field] ?? null),
      ),
    )
    const { id, version } = after
    const said = t('macros.done', { name })
    if (Object.keys(before).length === 0) tell(said)
    else offerUndo(said, t('parts.undo'), () => change.mutate({ id, version, changes: before }))
  }
  function start(macro: Macro): void {
    if (run.isPending) return
    run.mutate(
      { id: record.id, macro, ...(view !== undefined && { view }) },
      {
        onSuccess(result) {
          offer(macro, result)
          const { next } = result
          const [model, search] = [table.name, view === undefined ? {} : { view }]
          if (next) void navigate({ to: '/e/$model/$id', params: { model, id: String(next) }, search })
          if (next === null) void navigate({ to: '/e/$model', params: { model }, search })
        },
      },
    )
  }
  const goingOn = macros.find(({ next }) => next)
  useKeys(goingOn ? [{ keys: 'e', label: t('macros.keyNext', { name: goingOn.name }), run: () => start(goingOn) }] : [])
  return (
    <>
      <MacroMenu macros={macros} size="sm" isRunning={run.isPending} onChoose={start} />
      {run.error && (
        <span className="problem" role="alert">
          {messageOf(run.error)}
        </span>
      )}
    </>
  )
}
