/** The mark of Covan, as in `public/icon.svg`, without a request of its own. */
export function Logo({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
      <rect width="32" height="32" rx="8" fill="#0b7285" />
      <path d="M8 9h16v11H15l-5 4v-4H8z" fill="#fff" />
    </svg>
  );
}
