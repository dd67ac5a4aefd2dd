/** One button that does something. What other sites cannot know goes along in its address, for our forms have no fields. */
interface FormProps {
  to: string;
  /** null where no session is open yet. */
  form: string | null;
  label: string;
  isSecond?: boolean;
}

export function Form({ to, form, label, isSecond = true }: FormProps) {
  return (
    <form method="post" action={form === null ? to : `${to}${to.includes('?') ? '&' : '?'}form=${form}`}>
      <button type="submit" class={isSecond ? 'second' : ''}>
        {label}
      </button>
    </form>
  );
}
