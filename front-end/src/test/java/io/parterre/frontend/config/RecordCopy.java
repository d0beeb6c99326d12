package io.parterre.frontend.config;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Records that differ from another one in what a test is about. */
public final class RecordCopy {
    private RecordCopy() {}

    /** The same but for these components, by name. */
    @SuppressWarnings("unchecked") // The constructor is of the class of what is copied.
    public static <R extends Record> R with(R base, Map<String, Object> changes) {
        RecordComponent[] components = base.getClass().getRecordComponents();
        Set<String> unknown = new TreeSet<>(changes.keySet());
        Arrays.stream(components).map(RecordComponent::getName).forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("no components: " + unknown);
        }
        try {
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                Object before = components[i].getAccessor().invoke(base);
                values[i] = changes.getOrDefault(components[i].getName(), before);
            }
            Class<?>[] types =
                    Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new);
            return (R) base.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
