package io.parterre.frontend.http;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Configurations that differ from another one in what a test is about. */
public final class HttpConfigs {
    private HttpConfigs() {}

    /** The same but for these components, by name. */
    public static HttpServerConfig with(HttpServerConfig base, Map<String, Object> changes) {
        RecordComponent[] components = HttpServerConfig.class.getRecordComponents();
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
            return HttpServerConfig.class.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
