/** Checks of values as they are created. Start with {@link io.parterre.check.Require}. */
package io.parterre.check;
