import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { actAs } from '../api/sign-in.ts'
import { moduleOf } from '../fields/registry.ts'

const person = { name: 'user', type: 'user' } as const
const { Edit } = moduleOf(person)

/** An administrator sees the app as somebody else does. The bar above every screen leads back. */
export function ActAs({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const [id, setId] = useState<unknown>(null)
  const act = useMutation({ mutationFn: actAs, onSuccess: onDone })
  return (
    <>
      <p className="quiet">{t('profile.actAsWhy')}</p>
      {Edit && (
        <Edit
          field={person}
          label={t('profile.person')}
          value={id}
          onChange={setId}
          error={act.error ? messageOf(act.error) : undefined}
        />
      )}
      <Button
        variant="default"
        disabled={typeof id !== 'number'}
        loading={act.isPending}
        onClick={() => typeof id === 'number' && act.mutate(id)}
      >
        {t('profile.actAs')}
      </Button>
    </>
  )
}
