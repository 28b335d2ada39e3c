import type { ReactNode } from 'react'
import { fileName } from '../api/files.ts'
import type { PortalRequest } from '../api/portal.ts'
import { isEmpty } from './field-value.tsx'
import { moduleOf } from './registry.ts'

type ShownField = PortalRequest['fields'][number]

interface ShownFieldsProps {
  readonly fields: readonly ShownField[]
  /** Shows a file of the request; where it is left out, files are named only. */
  readonly file?: (path: string) => ReactNode
}

/** What an item shows of a record; what has no value is left out. */
export const ShownFields = ({ fields, file }: ShownFieldsProps) => (
  <dl className="shown-fields">
    {fields
      .filter(({ value }) => !isEmpty(value))
      .map((field) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <ShownValue field={field} file={file} />
          </dd>
        </div>
      ))}
  </dl>
)

function ShownValue({ field, file }: { readonly field: ShownField } & Pick<ShownFieldsProps, 'file'>) {
  const { value, text } = field
  if (text !== null) return <span className="text-value">{text}</span>
  if (field.type === 'file' || field.type === 'image')
    return (
      <span className="files">
        {[value].flat().map((path) => (file ? file(String(path)) : fileName(String(path))))}
      </span>
    )
  const { Show, Cell = Show, expands } = moduleOf(field)
  // A link to a record leads to where requesters may not go.
  const View = expands ? Cell : Show
  return <View field={field} value={value} />
}
