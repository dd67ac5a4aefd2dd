/** One glance says how it stands; the words beside it say it to everybody else. */
const SIGNS = {
  good: 'M14 23l6 6 11-13',
  wait: 'M22 13v10l6 4',
  bad: 'M22 12v13M22 31v.5',
};
export type Mood = keyof typeof SIGNS;

export function Mark({ mood }: { mood: Mood }) {
  return (
    <span class={`mark ${mood}`} aria-hidden="true">
      <svg viewBox="0 0 44 44" width="44" height="44" fill="none" stroke="currentColor" stroke-width="3">
        <circle cx="22" cy="22" r="20" />
        <path d={SIGNS[mood]} stroke-linecap="round" stroke-linejoin="round" />
      </svg>
    </span>
  );
}
