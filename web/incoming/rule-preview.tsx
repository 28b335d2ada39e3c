import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { type ButtonRule, type ReceivedMessage, rulePreviewQuery, useRunRule } from '../api/incoming.ts'
import { type Field, fieldsOf, labelOf, tableQuery, tablesQuery } from '../api/tables.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { useFieldLabel } from '../fields/use-field-label.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { tellMade } from './tell-made.tsx'

interface RulePreviewProps {
  readonly message: ReceivedMessage
  readonly rule: ButtonRule
  readonly onDone: () => void
  readonly onClose: () => void
}

const also: Readonly<Record<string, 'incoming.alsoCreate' | 'incoming.alsoUpdate' | 'incoming.alsoDelete'>> = {
  create: 'incoming.alsoCreate',
  update: 'incoming.alsoUpdate',
  delete: 'incoming.alsoDelete',
}

/** What a rule would make of a message, before it does. */
export function RulePreview({ message, rule, onDone, onClose }: RulePreviewProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const messageOf = useMessageOf()
  const labelOfField = useFieldLabel()
  const { data: preview, error, refetch } = useQuery(rulePreviewQuery(rule.id, message.id))
  const { data: table } = useQuery(tableQuery(rule.target_model))
  const { data: tables = [] } = useQuery(tablesQuery)
  const run = useRunRule()
  const script = preview?.meta.script
  const errors = Object.entries(preview?.meta.errors ?? {})
  const isRunnable = preview !== undefined && errors.length === 0 && (!script || script.status === 'ok')
  const nameOf = (model: string): string => labelOf(tables.find(({ name }) => name === model) ?? { name: model })
  const fieldOf = (name: string): Field =>
    (table && fieldsOf(table).find((field) => field.name === name)) ?? { name, type: 'json' }

  function apply(): void {
    if (!isRunnable || run.isPending) return
    run.mutate(
      { rule: rule.id, message: message.id },
      {
        onSuccess({ id }) {
          tellMade(router, t('incoming.made'), t('incoming.openRecord'), rule.target_model, id)
          onClose()
          onDone()
        },
      },
    )
  }
  useKeys([
    { keys: 'mod+enter', label: t('incoming.apply'), run: apply, inFields: true },
    { keys: 'escape', label: t('parts.cancel'), run: onClose, inFields: true },
  ])
  return (
    <section className="incoming-panel" aria-label={t('incoming.preview', { rule: rule.name })}>
      <h3>{t('incoming.wouldMake', { table: nameOf(rule.target_model) })}</h3>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !preview ? (
        <Loading lines={4} />
      ) : (
        <>
          {script?.returned ? (
            <p>{t('incoming.endsWithout')}</p>
          ) : (
            <dl className="changes">
              {Object.entries(preview.data).map(([name, value]) => (
                <div key={name}>
                  <dt>{labelOfField(fieldOf(name))}</dt>
                  <dd>
                    <FieldValue field={fieldOf(name)} record={{ id: 0, data: { [name]: value } }} in="record" />
                  </dd>
                </div>
              ))}
            </dl>
          )}
          {script?.written.map(({ action, model }, at) => (
            <p key={at} className="quiet">
              {t(also[String(action)] ?? 'incoming.alsoUpdate', { table: nameOf(String(model)) })}
            </p>
          ))}
          {script && script.sent.length > 0 && (
            <p className="quiet">{t('incoming.alsoSends', { count: script.sent.length })}</p>
          )}
          {script?.error && (
            <p className="problem" role="alert">
              {script.error.message}
            </p>
          )}
          {errors.map(([name, [first]]) => (
            <p key={name} className="problem" role="alert">
              {first}
            </p>
          ))}
        </>
      )}
      {run.error && (
        <p className="problem" role="alert">
          {messageOf(run.error)}
        </p>
      )}
      <div className="form-actions">
        <Button onClick={apply} disabled={!isRunnable} loading={run.isPending}>
          {t('incoming.apply')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('parts.cancel')}
        </Button>
      </div>
    </section>
  )
}
