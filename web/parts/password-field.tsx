import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A password: one may look at it, and what is wrong with it is said with the field. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      required
      withAsterisk={false}
      {...props}
      // The library marks the look of the field only.
      aria-invalid={props.error ? true : undefined}
      errorProps={{ role: 'alert' }}
      visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
    />
  )
}
