import { useTranslation } from 'react-i18next'
import type { EntityRecord } from '../api/records.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { standardFields } from '../fields/registry.ts'
import { useFieldLabel } from '../fields/use-field-label.ts'

/** Who made and changed the record, and when. */
export function FactsPanel({ record }: { readonly record: EntityRecord }) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  return (
    <section className="side-panel">
      <h2>{t('record.facts')}</h2>
      <dl className="facts">
        {standardFields
          .filter(({ name }) => name !== 'id')
          .map((field) => (
            <div key={field.name}>
              <dt>{labelOfField(field)}</dt>
              <dd>
                <FieldValue field={field} record={record} in="record" />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
