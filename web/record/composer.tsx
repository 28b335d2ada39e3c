import { ActionIcon, Button, FileButton, SegmentedControl, Textarea } from '@mantine/core'
import Paperclip from 'lucide-react/icons/paperclip'
import X from 'lucide-react/icons/x'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useComment } from '../api/about-record.ts'
import { useMessageOf } from '../api/failures.ts'
import { useKeys } from '../keyboard/keyboard.tsx'

interface ComposerProps {
  readonly model: string
  readonly id: number
  readonly mayBeInternal: boolean
}

/** Writes a comment, or a note that only colleagues see; files are chosen, dropped or pasted. */
export function Composer({ model, id, mayBeInternal }: ComposerProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const text = useRef<HTMLTextAreaElement>(null)
  const [body, setBody] = useState('')
  const [isInternal, setInternal] = useState(false)
  const [files, setFiles] = useState<readonly File[]>([])
  const comment = useComment(model, id)
  const begin = (internal: boolean): void => {
    setInternal(internal)
    text.current?.focus()
  }
  useKeys([
    { keys: 'r', label: t('record.keyReply'), run: () => begin(false) },
    ...(mayBeInternal ? [{ keys: 'n', label: t('record.keyNote'), run: () => begin(true) }] : []),
  ])
  const add = (more: Iterable<File>): void => setFiles([...files, ...more])

  function send(event?: FormEvent): void {
    event?.preventDefault()
    if (body.trim() === '' || comment.isPending) return
    comment.mutate(
      { body: body.trim(), isInternal, files },
      {
        onSuccess() {
          setBody('')
          setFiles([])
        },
      },
    )
  }
  return (
    <form
      className={isInternal ? 'composer is-internal' : 'composer'}
      onSubmit={send}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        add(event.dataTransfer.files)
      }}
    >
      {mayBeInternal && (
        <SegmentedControl
          size="xs"
          value={isInternal ? 'note' : 'reply'}
          onChange={(value) => setInternal(value === 'note')}
          data={[
            { value: 'reply', label: t('record.reply') },
            { value: 'note', label: t('record.note') },
          ]}
        />
      )}
      <Textarea
        ref={text}
        aria-label={isInternal ? t('record.writeNote') : t('record.writeReply')}
        placeholder={isInternal ? t('record.writeNote') : t('record.writeReply')}
        autosize
        minRows={2}
        maxRows={14}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
          else if (event.key === 'Escape') text.current?.blur()
          else return
          event.stopPropagation()
        }}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          add(event.clipboardData.files)
        }}
        error={comment.error ? messageOf(comment.error) : undefined}
      />
      <div className="composer-foot">
        <FileButton multiple onChange={add}>
          {(button) => (
            <ActionIcon {...button} variant="subtle" color="gray" aria-label={t('fields.addFile')}>
              <Paperclip size={16} />
            </ActionIcon>
          )}
        </FileButton>
        {files.map((file) => (
          <span key={file.name} className="file-chip">
            {file.name}
            <ActionIcon
              size="xs"
              variant="subtle"
              aria-label={t('fields.removeFile', { name: file.name })}
              onClick={() => setFiles(files.filter((one) => one !== file))}
            >
              <X size={12} />
            </ActionIcon>
          </span>
        ))}
        <Button type="submit" size="sm" className="push" disabled={body.trim() === ''} loading={comment.isPending}>
          {isInternal ? t('record.addNote') : t('record.send')}
        </Button>
      </div>
    </form>
  )
}
