import { ActionIcon, Button, FileButton } from '@mantine/core'
import Lock from 'lucide-react/icons/lock'
import Paperclip from 'lucide-react/icons/paperclip'
import X from 'lucide-react/icons/x'
import { type RefObject, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { optional } from '../../parts/optional.ts'
import type { useComposer } from './use-composer.ts'

const TemplateMenu = optional(() => import('./template-menu.tsx'))

export interface ComposerPart {
  readonly composer: ReturnType<typeof useComposer>
}

/** The files that go along, and how they leave. */
export function ChosenFiles({ composer: { files, removeFile, mode, options } }: ComposerPart) {
  const { t } = useTranslation()
  if (files.length === 0) return null
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const isMail = mode === 'email' || mode === 'forward'
  const isInside = isMail && options !== undefined && bytes <= options.files.limit_bytes
  return (
    <>
      <ul className="plain-list composer-files">
        {files.map((file, index) => (
          <li key={`${file.name} ${index}`} className="file-chip">
            {file.name}
            <ActionIcon
              size="xs"
              variant="subtle"
              aria-label={t('fields.removeFile', { name: file.name })}
              onClick={() => removeFile(file)}
            >
              <X size={12} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {options && (isMail || mode === 'messenger') && (
        <p className="small quiet" role="status">
          {isInside
            ? t('composer.filesInside')
            : t(isMail ? 'composer.filesLinked_email' : 'composer.filesLinked_messenger', {
                days: options.files.links_days,
              })}
        </p>
      )}
    </>
  )
}

interface FootProps extends ComposerPart {
  readonly model: string
  readonly id: number
  readonly text: RefObject<HTMLTextAreaElement | null>
}

/** What can be added to the text, and what is done with it. */
export function ComposerFoot({ model, id, composer, text }: FootProps) {
  const { t } = useTranslation()
  const { draft, mode, options, change } = composer
  const { body } = draft
  const isNote = mode === 'note'
  return (
    <div className="composer-foot">
      <FileButton multiple onChange={composer.addFiles}>
        {(button) => (
          <ActionIcon {...button} variant="subtle" color="gray" aria-label={t('fields.addFile')}>
            <Paperclip size={16} />
          </ActionIcon>
        )}
      </FileButton>
      {!isNote && options && options.templates.length > 0 && (
        <Suspense fallback={null}>
          <TemplateMenu
            model={model}
            id={id}
            templates={options.templates}
            onFilled={(filled) => {
              const caret = text.current?.selectionStart ?? body.length
              change({ body: `${body.slice(0, caret)}${filled.text}${body.slice(caret)}` })
              composer.setMissing(filled.missing)
              text.current?.focus()
            }}
          />
        </Suspense>
      )}
      {body.trim() !== '' && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={composer.forget}>
          {t('composer.discard')}
        </Button>
      )}
      <Button
        type="submit"
        size="sm"
        className="push"
        variant={isNote ? 'default' : 'filled'}
        leftSection={isNote ? <Lock size={14} aria-hidden /> : undefined}
        disabled={body.trim() === ''}
        loading={composer.isSending}
      >
        {t(`composer.send_${mode}`)}
      </Button>
    </div>
  )
}
