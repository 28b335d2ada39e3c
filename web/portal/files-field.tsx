import { useTranslation } from 'react-i18next'
import { moduleOf } from '../fields/registry.ts'

const field = { name: 'files', type: 'file', multiple: true } as const
const { Edit } = moduleOf(field)

interface FilesFieldProps {
  /** Paths of files that were uploaded. */
  readonly paths: readonly string[]
  readonly error: string | undefined
  readonly onChange: (paths: readonly string[]) => void
}

/** Files that go along with a request or a message. */
export function FilesField({ paths, error, onChange }: FilesFieldProps) {
  const { t } = useTranslation()
  return (
    Edit && (
      <Edit
        field={field}
        value={paths}
        label={t('portal.files')}
        error={error}
        onChange={(value) => onChange(Array.isArray(value) ? (value as string[]) : [])}
      />
    )
  )
}
