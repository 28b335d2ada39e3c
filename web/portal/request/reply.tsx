import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../../api/client.ts'
import { fieldErrorsOf, useMessageOf } from '../../api/failures.ts'
import { useReply } from '../../api/portal.ts'
import { useKeys } from '../../keyboard/keyboard.tsx'
import { useDraft } from '../../parts/drafts.ts'
import { NotSent } from '../../parts/not-sent.tsx'
import { FilesField } from '../files-field.tsx'

const empty: { readonly body: string; readonly files: readonly string[] } = { body: '', files: [] }

/** Writes to the team. What is typed is kept until it is sent. */
export function Reply({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const field = useRef<HTMLTextAreaElement>(null)
  const { draft, change, clear } = useDraft(`request ${id}`, empty)
  const reply = useReply(id)
  const body = draft.body.trim()
  useKeys([{ keys: 'r', label: t('portal.reply'), run: () => field.current?.focus() }])
  const fileError = Object.entries(fieldErrorsOf(reply.error)).find(([path]) => path.startsWith('attachments'))?.[1]

  function send(event?: FormEvent): void {
    event?.preventDefault()
    if (body === '' || reply.isPending) return
    reply.mutate({ body, files: draft.files }, { onSuccess: clear })
  }
  return (
    <form className="reply" onSubmit={send}>
      <Textarea
        ref={field}
        aria-label={t('portal.reply')}
        placeholder={t('portal.reply')}
        autosize
        minRows={2}
        maxRows={10}
        value={draft.body}
        onChange={(event) => change({ body: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.stopPropagation()
          send()
        }}
        error={
          reply.error && fileError === undefined && !(reply.error instanceof Unreachable)
            ? messageOf(reply.error)
            : undefined
        }
      />
      <NotSent error={reply.error} onSend={send} />
      <FilesField paths={draft.files} error={fileError} onChange={(files) => change({ files })} />
      <Button type="submit" disabled={body === ''} loading={reply.isPending}>
        {t('portal.sendReply')}
      </Button>
    </form>
  )
}
