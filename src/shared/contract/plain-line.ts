/**
 * A line of text that reads as it was typed: no control characters, no halves of characters, and none of the marks that
 * turn the direction of what follows, with which a name could rewrite the line it stands in. Urdu needs none of them.
 */
export const plainLine = /^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u;
