import { ActionIcon, FileButton, Input } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import Paperclip from 'lucide-react/icons/paperclip'
import X from 'lucide-react/icons/x'
import { useTranslation } from 'react-i18next'
import { fileName, fileQuery, uploadFile } from '../../api/files.ts'
import { useUpload } from '../../parts/use-upload.ts'
import type { EditProps, FieldModule, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'

const pathsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : []

/** A link to a file; its address is asked for when somebody wants it. */
export function FileLink({ path }: { readonly path: string }) {
  const { data } = useQuery(fileQuery(path))
  const isPicture = data?.content_type.startsWith('image/') === true && data.content_type !== 'image/svg+xml'
  return (
    <a
      className="file-link"
      href={data?.url}
      target="_blank"
      rel="noopener noreferrer"
      download={isPicture ? undefined : ''}
    >
      {isPicture ? <img src={data.url} alt={fileName(path)} loading="lazy" /> : <Paperclip size={14} aria-hidden />}
      <span>{fileName(path)}</span>
    </a>
  )
}

const Show = ({ value }: ValueProps) => (
  <span className="files">
    {pathsOf(value).map((path) => (
      <FileLink key={path} path={path} />
    ))}
  </span>
)
const Cell = ({ value }: ValueProps) => (
  <span>
    <Paperclip size={12} aria-hidden /> {pathsOf(value).map(fileName).join(', ')}
  </span>
)

/** Files by choosing, dropping or pasting them. */
function Edit(props: EditProps) {
  const { field, value, onChange } = props
  const { t } = useTranslation()
  const paths = pathsOf(value)
  const isMultiple = field.type === 'file' && field.multiple !== false
  const { add, isUploading, failure, zone } = useUpload(uploadFile, (uploaded) =>
    onChange(isMultiple ? [...paths, ...uploaded] : (uploaded.at(-1) ?? null)),
  )
  const { label, description, error, required } = inputProps(props)
  return (
    <Input.Wrapper label={label} description={description} error={error ?? failure} required={required}>
      <div className="drop-zone" {...zone}>
        {paths.map((path) => (
          <span key={path} className="file-chip">
            {fileName(path)}
            <ActionIcon
              variant="subtle"
              size="xs"
              aria-label={t('fields.removeFile', { name: fileName(path) })}
              onClick={() => {
                const left = paths.filter((one) => one !== path)
                onChange(left.length === 0 ? null : isMultiple ? left : left[0])
              }}
            >
              <X size={12} />
            </ActionIcon>
          </span>
        ))}
        <FileButton onChange={(files) => add(files)} multiple accept={field.type === 'image' ? 'image/*' : undefined}>
          {(button) => (
            <button type="button" className="link" {...button} disabled={isUploading}>
              {isUploading ? t('fields.uploading') : t('fields.addFile')}
            </button>
          )}
        </FileButton>
      </div>
    </Input.Wrapper>
  )
}

export const file: FieldModule = { Show, Cell, Edit, operators: ['_null', '_nnull'], width: 180 }
