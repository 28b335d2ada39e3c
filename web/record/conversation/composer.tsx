import { NativeSelect, Textarea } from '@mantine/core'
import Lock from 'lucide-react/icons/lock'
import { type KeyboardEvent, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../../api/client.ts'
import { fieldErrorsOf, useMessageOf } from '../../api/failures.ts'
import { useKeys } from '../../keyboard/keyboard.tsx'
import { NotSent } from '../../parts/not-sent.tsx'
import { optional } from '../../parts/optional.ts'
import { ChoiceList } from './choice-list.tsx'
import { ChosenFiles, ComposerFoot, type ComposerPart } from './composer-foot.tsx'
import { addressesOf, type Mode } from './draft.ts'
import { MailHead } from './mail-head.tsx'
import { ModePicker } from './mode-picker.tsx'
import { useCaret } from './use-choices.ts'
import { type ComposerOf, useComposer } from './use-composer.ts'
import { useMentions } from './use-mentions.ts'
import { useSnippets } from './use-snippets.ts'

const ForwardHead = optional(() => import('./forward-head.tsx'))
const SuggestedArticles = optional(() => import('../../parts/article/suggested-articles.tsx'))

interface ComposerProps extends ComposerOf {
  /** The title of the record: articles are suggested for it. */
  readonly about: string
}

/**
 * Writes about a record: a reply by mail or messenger, a comment, or a note that nobody outside sees. What is typed is kept
 * in this browser until it is sent; files are chosen, dropped or pasted.
 */
export function Composer({ about, ...of }: ComposerProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { model, id, mayComment, mayBeInternal } = of
  const text = useRef<HTMLTextAreaElement>(null)
  const [isDropping, setDropping] = useState(false)
  const composer = useComposer(of)
  const { draft, change, send, mode, open, first, isUnknown, isUndecided, conversations, problem } = composer
  const { body } = draft
  const isNote = mode === 'note'
  const at = useCaret(text, body)
  const snippets = useSnippets({
    model,
    id,
    at,
    body,
    onInsert(changes, { missing }) {
      change(changes)
      composer.setMissing(missing)
    },
  })
  const mentions = useMentions({
    model,
    id,
    isInternal: isNote,
    at,
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
  function press(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      send()
    } else if (mentions.onKey(event.key) || snippets.onKey(event.key)) event.preventDefault()
    else if (event.key === 'Escape') text.current?.blur()
    else return
    event.stopPropagation()
  }
  const label = t(`composer.write_${mode}`)
  return (
    <form
      className={`composer is-${mode}${isDropping ? ' is-dropping' : ''}`}
      aria-label={t('composer.title')}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setDropping(true)
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDropping(false)
        composer.addFiles(event.dataTransfer.files)
      }}
    >
      {open.length > 1 && <ModePicker modes={open} mode={isUndecided ? undefined : mode} onChoose={begin} />}
      <p className="composer-where">
        {isNote && <Lock size={14} aria-hidden />}
        {isNote ? <strong>{t('composer.noteSeen')}</strong> : <WhereTo composer={composer} />}
      </p>
      {mode === 'forward' && (
        <Suspense fallback={null}>
          <ForwardHead composer={composer} />
        </Suspense>
      )}
      {mode === 'email' && conversations.length > 1 && (
        <NativeSelect
          size="xs"
          label={t('composer.conversation')}
          value={String(composer.answered?.id)}
          data={conversations.map(({ id: one, kind, name, to: address }) => ({
            value: String(one),
            label:
              kind === 'forward'
                ? t('composer.conversationOfForward', { name: address ?? name ?? t('record.somebody') })
                : t('composer.conversationOf', { name: address ?? name ?? t('record.somebody'), id: one }),
          }))}
          onChange={({ currentTarget: { value } }) => composer.answer(Number(value))}
        />
      )}
      {(mode === 'email' || mode === 'forward') && !isUndecided && (
        <MailHead draft={draft} offered={composer.offered} errors={fieldErrorsOf(composer.refusal)} onChange={change} />
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
          aria-autocomplete="list"
          {...mentions.inputProps}
          {...snippets.inputProps}
          onSelect={at.follow}
          onBlur={at.leave}
          onChange={(event) => change({ body: event.currentTarget.value })}
          onKeyDown={press}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return
            event.preventDefault()
            composer.addFiles(event.clipboardData.files)
          }}
          error={problem && !(problem instanceof Unreachable) ? messageOf(problem) : undefined}
        />
        <ChoiceList
          {...mentions.list}
          label={t('composer.mention')}
          status={t('composer.people', { count: mentions.list.items.length })}
        />
        <ChoiceList
          {...snippets.list}
          label={t('composer.snippets')}
          status={t('composer.snippetsFound', { count: snippets.list.items.length })}
        />
      </div>
      {snippets.problem && (
        <p className="problem small" role="alert">
          {messageOf(snippets.problem)}
        </p>
      )}
      <NotSent error={problem} onSend={send} />
      {composer.missing.length > 0 && (
        <p className="small quiet" role="status">
          {t('composer.missing', { names: composer.missing.join(', ') })}
        </p>
      )}
      {!isNote && mode !== 'forward' && body.trim() !== '' && (
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
      <ChosenFiles composer={composer} />
      <ComposerFoot model={model} id={id} composer={composer} text={text} />
    </form>
  )
}

/** Whom it reaches. */
function WhereTo({ composer: { isUndecided, failure, mode, answered, options, draft } }: ComposerPart) {
  const { t } = useTranslation()
  if (mode === 'forward') {
    const to = [draft.to?.trim(), ...addressesOf(draft.cc ?? '')].filter(Boolean).join(', ')
    return to === '' ? t('composer.forwardSeen') : t('composer.forwardReaches', { to })
  }
  if (isUndecided) return failure === null ? '' : t('composer.unknown')
  const to = mode === 'email' ? answered : mode === 'messenger' ? options?.messenger : undefined
  if (!to) return mode === 'comment' ? t('composer.commentSeen') : ''
  const reached = [to.name, to.to && (to.name ? `<${to.to}>` : to.to)].filter(Boolean).join(' ')
  const isForward = mode === 'email' && answered?.kind === 'forward'
  if (isForward) return t('composer.forwardReaches', { to: reached })
  return reached === ''
    ? t(`composer.toSomebody_${mode as 'email' | 'messenger'}`)
    : t('composer.to', { name: reached })
}
