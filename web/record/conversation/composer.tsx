import { ActionIcon, Button, FileButton, NativeSelect, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import Lock from 'lucide-react/icons/lock'
import Paperclip from 'lucide-react/icons/paperclip'
import X from 'lucide-react/icons/x'
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useComment } from '../../api/about-record.ts'
import { Unreachable } from '../../api/client.ts'
import { failureOf, fieldErrorsOf, useMessageOf } from '../../api/failures.ts'
import { useUser } from '../../api/permissions.ts'
import { replyOptionsQuery } from '../../api/replies.ts'
import { useKeys } from '../../keyboard/keyboard.tsx'
import { NotSent } from '../../parts/not-sent.tsx'
import { optional } from '../../parts/optional.ts'
import { addressesOf, type Draft, keepDraft, type Mode, readDraft, withIds } from './draft.ts'
import { MailHead } from './mail-head.tsx'
import { MentionList } from './mention-list.tsx'
import { ModePicker } from './mode-picker.tsx'
import { useMentions } from './use-mentions.ts'

const TemplateMenu = optional(() => import('./template-menu.tsx'))
const SuggestedArticles = optional(() => import('../../parts/article/suggested-articles.tsx'))

interface ComposerProps {
  readonly model: string
  readonly id: number
  /** The title of the record: articles are suggested for it. */
  readonly about: string
  readonly mayComment: boolean
  readonly mayBeInternal: boolean
  /** Whether the reader may write to people outside. */
  readonly mayReply: boolean
}

const empty: Draft = { body: '', mentions: {} }

/**
 * Writes about a record: a reply by mail or messenger, a comment, or a note that nobody outside sees. What is typed is kept
 * in this browser until it is sent; files are chosen, dropped or pasted.
 */
export function Composer({ model, id, about, mayComment, mayBeInternal, mayReply }: ComposerProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const user = useUser()
  const own = { tenant: user.tenant.slug, userId: user.id, model, id }
  const text = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState<Draft>(() => readDraft(own) ?? empty)
  const [files, setFiles] = useState<readonly File[]>([])
  const [isDropping, setDropping] = useState(false)
  const [missing, setMissing] = useState<readonly string[]>([])
  const [isAsked, setAsked] = useState(false)
  const [unsent, setUnsent] = useState<unknown>(null)
  const comment = useComment(model, id)
  const asked = useQuery({ ...replyOptionsQuery(model, id), enabled: mayReply && mayComment })
  const { data: options } = asked
  // Whom a reply reaches: until that is known, what is sent could go to somebody else, or to nobody.
  const isUnknown = mayReply && mayComment && options === undefined
  const open: readonly Mode[] = [
    ...(options?.email && mayComment ? (['email'] as const) : []),
    ...(options?.messenger && mayComment ? (['messenger'] as const) : []),
    ...(mayComment ? (['comment'] as const) : []),
    ...(mayBeInternal ? (['note'] as const) : []),
  ]
  const [first = 'note'] = open
  // What was chosen to be a comment or a note reaches nobody outside in any case.
  const isUndecided = isUnknown && draft.mode !== 'comment' && draft.mode !== 'note'
  const failure = isUndecided ? failureOf(asked) : null
  const isBusy = isUndecided || comment.isPending
  // A note stays one while it is not known yet what else there is.
  const mode = draft.mode && (open.includes(draft.mode) || isUnknown) ? draft.mode : first
  const { body } = draft
  const conversations = options?.conversations ?? []
  const answered =
    conversations.find(({ id: one }) => one === draft.conversation) ?? conversations.find(({ is_default: is }) => is)
  const offered = answered?.cc ?? []
  const change = (changes: Partial<Draft>): void => {
    // Who types before it is known what there is has chosen nothing yet.
    const after = { ...draft, ...(!isUnknown && { mode }), ...changes }
    setDraft(after)
    keepDraft(own, after)
  }
  const mentions = useMentions({
    model,
    id,
    isInternal: mode === 'note',
    text,
    body,
    onMention: (after, name, person) => change({ body: after, mentions: { ...draft.mentions, [name]: person } }),
  })
  const begin = (next: Mode | undefined): void => {
    change({ mode: next })
    text.current?.focus()
  }
  useKeys([
    ...(mayComment
      ? [{ keys: 'r', label: t('composer.keyReply'), run: () => begin(isUnknown ? undefined : first) }]
      : []),
    ...(mayBeInternal ? [{ keys: 'n', label: t('composer.keyNote'), run: () => begin('note') }] : []),
  ])
  const add = (more: Iterable<File>): void => setFiles([...files, ...more])
  function forget(): void {
    keepDraft(own, empty)
    setDraft(draft.mode === undefined ? empty : { ...empty, mode: draft.mode })
    setFiles([])
    setMissing([])
    setUnsent(null)
    comment.reset()
  }
  function send(event?: FormEvent): void {
    event?.preventDefault()
    if (body.trim() === '') return
    setUnsent(null)
    if (failure !== null) {
      setUnsent(failure)
      if (asked.error) void asked.refetch()
      return
    }
    if (isBusy) {
      setAsked(true)
      return
    }
    const way = mode === 'email' || mode === 'messenger' ? mode : mode === 'comment' && mayReply ? 'none' : undefined
    const sent = { ...draft, mode }
    // The next one can be typed at once. What was sent stays kept until it has arrived.
    setDraft({ ...empty, mode })
    setFiles([])
    setMissing([])
    const typedSince = (): string => {
      const kept = readDraft(own)?.body ?? ''
      return kept === sent.body ? '' : kept
    }
    comment.mutate(
      {
        body: withIds({ ...sent, body: body.trim() }),
        isInternal: mode === 'note',
        send: way,
        files,
        ...(mode === 'email' && {
          cc: draft.cc === undefined ? offered : addressesOf(draft.cc),
          subject: draft.subject?.trim() ?? '',
          // Named, so that nobody else is answered when another mail arrives meanwhile.
          ...(conversations.length > 1 && { conversation: answered?.id }),
        }),
      },
      {
        onSuccess: () => {
          if (typedSince() === '') keepDraft(own, empty)
        },
        onError: () => {
          const restored = { ...sent, body: [sent.body, typedSince()].filter((part) => part !== '').join('\n\n') }
          setDraft(restored)
          keepDraft(own, restored)
          setFiles((chosen) => [...files, ...chosen])
        },
      },
    )
  }
  // Asked to send before it was known how, or while another is on its way.
  useEffect(() => {
    if (!isAsked || (isBusy && failure === null)) return
    setAsked(false)
    send()
  })
  const problem = comment.error ?? unsent
  const isNote = mode === 'note'
  const to = mode === 'email' ? answered : mode === 'messenger' ? options?.messenger : undefined
  const label = t(`composer.write_${mode}`)
  return (
    <form
      className={`composer is-${mode}${isDropping ? ' is-dropping' : ''}`}
      aria-label={t('composer.title')}
      onSubmit={send}
      onDragOver={(event) => {
        event.preventDefault()
        setDropping(true)
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDropping(false)
        add(event.dataTransfer.files)
      }}
    >
      {open.length > 1 && <ModePicker modes={open} mode={isUndecided ? undefined : mode} onChoose={begin} />}
      <p className="composer-where">
        {isNote && <Lock size={14} aria-hidden />}
        {isNote ? <strong>{t('composer.noteSeen')}</strong> : whereTo()}
      </p>
      {mode === 'email' && conversations.length > 1 && (
        <NativeSelect
          size="xs"
          label={t('composer.conversation')}
          value={String(answered?.id)}
          data={conversations.map(({ id: one, name, to: address }) => ({
            value: String(one),
            label: t('composer.conversationOf', { name: address ?? name ?? t('record.somebody'), id: one }),
          }))}
          onChange={({ currentTarget: { value } }) => {
            const { cc: _other, ...rest } = draft
            setDraft({ ...rest, mode, conversation: Number(value) })
          }}
        />
      )}
      {mode === 'email' && !isUndecided && (
        <MailHead draft={draft} offered={offered} errors={fieldErrorsOf(comment.error)} onChange={change} />
      )}
      <div className="composer-text">
        <Textarea
          ref={text}
          aria-label={label}
          placeholder={label}
          autosize
          minRows={3}
          maxRows={16}
          value={body}
          {...mentions.inputProps}
          onChange={(event) => change({ body: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
              event.preventDefault()
              send()
            } else if (mentions.onKey(event.key)) event.preventDefault()
            else if (event.key === 'Escape') text.current?.blur()
            else return
            event.stopPropagation()
          }}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return
            event.preventDefault()
            add(event.clipboardData.files)
          }}
          error={problem && !(problem instanceof Unreachable) ? messageOf(problem) : undefined}
        />
        <MentionList {...mentions.list} />
      </div>
      <NotSent error={problem} onSend={send} />
      {missing.length > 0 && (
        <p className="small quiet" role="status">
          {t('composer.missing', { names: missing.join(', ') })}
        </p>
      )}
      {!isNote && body.trim() !== '' && (
        <Suspense fallback={null}>
          <SuggestedArticles
            text={`${about} ${body}`}
            onInsert={(article) => {
              change({ body: `${body.trimEnd()}\n\n${article}` })
              text.current?.focus()
            }}
          />
        </Suspense>
      )}
      {files.length > 0 && (
        <ul className="plain-list composer-files">
          {files.map((file, index) => (
            <li key={`${file.name} ${index}`} className="file-chip">
              {file.name}
              <ActionIcon
                size="xs"
                variant="subtle"
                aria-label={t('fields.removeFile', { name: file.name })}
                onClick={() => setFiles(files.filter((one) => one !== file))}
              >
                <X size={12} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (mode === 'email' || mode === 'messenger') && (
        <p className="small quiet" role="status">
          {t('composer.filesStay')}
        </p>
      )}
      <div className="composer-foot">
        <FileButton multiple onChange={add}>
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
                setMissing(filled.missing)
                text.current?.focus()
              }}
            />
          </Suspense>
        )}
        {body.trim() !== '' && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={forget}>
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
          loading={comment.isPending || isAsked}
        >
          {t(`composer.send_${mode}`)}
        </Button>
      </div>
    </form>
  )

  function whereTo(): string {
    if (isUndecided) return failure === null ? '' : t('composer.unknown')
    if (!to) return mode === 'comment' ? t('composer.commentSeen') : ''
    const name = [to.name, to.to && (to.name ? `<${to.to}>` : to.to)].filter(Boolean).join(' ')
    return name === '' ? t(`composer.toSomebody_${mode as 'email' | 'messenger'}`) : t('composer.to', { name })
  }
}
