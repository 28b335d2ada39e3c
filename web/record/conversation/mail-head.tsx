import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft } from './draft.ts'

interface MailHeadProps {
  readonly draft: Pick<Draft, 'cc' | 'subject'>
  /** Whom the mail that is answered names besides: they get a copy unless the writer takes them away. */
  readonly offered: readonly string[]
  /** What the service said about each. */
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (changes: Pick<Draft, 'cc' | 'subject'>) => void
}

/** Who gets a copy of a reply by mail, and its subject. It is shown when it is asked for, or holds something. */
export function MailHead({ draft, offered, errors, onChange }: MailHeadProps) {
  const { t } = useTranslation()
  const { cc = offered.join(', '), subject = '' } = draft
  const [isOpen, setOpen] = useState(false)
  if (!isOpen && cc === '' && subject === '')
    return (
      <button type="button" className="link small" onClick={() => setOpen(true)}>
        {t('composer.copyOrSubject')}
      </button>
    )
  return (
    <div className="mail-head">
      <TextInput
        size="xs"
        label={t('composer.cc')}
        placeholder={t('composer.ccHint')}
        autoFocus={isOpen}
        value={cc}
        error={errors['cc'] ?? Object.entries(errors).find(([name]) => name.startsWith('cc.'))?.[1]}
        onChange={(event) => onChange({ cc: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        label={t('composer.subject')}
        placeholder={t('composer.subjectHint')}
        maxLength={200}
        value={subject}
        error={errors['subject']}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
    </div>
  )
}
