/**
 * How the front end's configurations check themselves: all problems are reported at once. Pure. The
 * settings belong to the packages that they configure. Start with {@link
 * io.parterre.frontend.config.Problems}.
 */
package io.parterre.frontend.config;
