package io.parterre.testing;

import java.util.function.Predicate;

/**
 * An exception by which a thread of a library may end in any test. Found as a service, so that a
 * module without that library need not know it.
 */
@FunctionalInterface
public interface ExpectedFailure extends Predicate<Throwable> {}
